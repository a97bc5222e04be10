// Thrown by validation that would block the serving thread for too long: a worker thread repeats it without a limit.
export class ExpensiveValidation extends Error {
  constructor() {
    super('the validation rules of the object are too expensive for the serving thread');
  }
}
