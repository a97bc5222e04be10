// Validation of strings of custom resources by JSON Schema `format`, with the deviations of go-openapi/strfmt.
import { isIPv4, isIPv6 } from 'node:net';
import { requestUriProblem } from '../../codec/uri/uri.ts';
import { isDuration } from './duration-format.ts';
import { isEmailAddress } from './email-format.ts';

type FormatPredicate = (text: string) => boolean;

const matches =
  (pattern: RegExp): FormatPredicate =>
  (text) =>
    pattern.test(text);

const uuid = (version: string) =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));
const variantUuid = (version: string) =>
  matches(
    new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'),
  );
const date = matches(/^\d{4}-\d{2}-\d{2}$/);
// Upstream accepts any character before the fraction, and any digits in the offset.
const dateTime = matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[^\n]\d+)?(?:Z|[+-]\d{2}:\d{2})$/iu);

/** The formats that are validated. Other formats are accepted without validation. */
const formats: Readonly<Record<string, FormatPredicate>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: (text) => requestUriProblem(text) === undefined,
  email: isEmailAddress,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && isAddress(text),
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: matches(
    /^(?:[0-9a-fA-F]{12}|[0-9a-fA-F]{16}|[0-9a-fA-F]{40}|(?:[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2}){4}(?:(?:\1[0-9a-fA-F]{2}){2}|(?:\1[0-9a-fA-F]{2}){14})?|[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}(?:\.[0-9a-fA-F]{4}|(?:\.[0-9a-fA-F]{4}){7})?))$/,
  ),
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: variantUuid('4'),
  uuid5: variantUuid('5'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: isRgbColor,
  byte: matches(/^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: (text) => date(text) && isExistingDate(`${text}T00:00:00Z`),
  duration: isDuration,
  datetime: isDateTime,
};

export const checkedFormats = Object.keys(formats);

/** Whether the text has the format; true for unknown formats. Ignores dashes in the name: `date-time` is `datetime`. */
export function hasFormat(text: string, format: string): boolean {
  const name = format.replaceAll('-', '');
  return !Object.hasOwn(formats, name) || formats[name]!(text);
}

/** Whether the date exists: JavaScript would move February 30 to March. */
function isExistingDate(text: string): boolean {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === text.slice(0, 10);
}

/** Upstream ignores everything after a second T. */
function isDateTime(input: string): boolean {
  const text = input.split(/t/i, 2).join('T');
  if (!dateTime(text)) return false;
  const [hour, minute, second] = [text.slice(11, 13), text.slice(14, 16), text.slice(17, 19)].map(Number);
  return hour! < 24 && minute! < 60 && second! < 60 && isExistingDate(`${text.slice(0, 10)}T00:00:00Z`);
}

/** One label, or several with an alphabetic top-level domain. */
function isHostname(text: string): boolean {
  if (text.length > 255) return false;
  const labels = text.split('.');
  const last = labels.pop()!;
  if (labels.length === 0)
    return (
      Buffer.byteLength(last) <= 63 && /^[A-Za-z0-9\p{S}\p{L}](?:-?[A-Za-z0-9\p{S}\p{L}]{0,62})?$/u.test(last)
    );
  return /^\p{L}{2,}$/u.test(last) && Buffer.byteLength(last) <= 63 && labels.every(isLabel);
}

const isLabel = (text: string) =>
  Buffer.byteLength(text) <= 63 &&
  /^[A-Za-z0-9\p{S}\p{L}](?:[A-Za-z0-9\p{S}\p{L}-]*[A-Za-z0-9\p{S}\p{L}])?$/u.test(text);

/** An address without zone. IPv4 octets may have leading zeros. */
function isAddress(text: string): boolean {
  const withoutLeadingZeros = text.replace(/(^|[.:])0+(?=\d+(?:\.|$))/g, '$1');
  return isIPv4(withoutLeadingZeros) || (!text.includes('%') && isIPv6(withoutLeadingZeros));
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...surplus] = text.split('/');
  if (surplus.length > 0 || !/^\d+$/.test(bits) || !isAddress(address)) return false;
  return Number(bits) <= (address.includes(':') ? 128 : 32);
}

const withoutSeparators = (text: string) => text.replace(/[ \t\n\f\r-]/g, '');

function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, c, i) => total + (i + 1) * (c === 'X' ? 10 : Number(c)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((total, c, i) => total + (i % 2 === 0 ? 1 : 3) * Number(c), 0);
  return sum % 10 === 0;
}

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '');
  if (!cardNumber.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, c, i) => {
    const value = i % 2 === 0 ? Number(c) : Number(c) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isRgbColor(text: string): boolean {
  // Blanks become '_', which the pattern allows between the numbers, and '_' becomes '-', which it does not allow.
  const parts = /^rgb\(_*(\d{1,3})_*,_*(\d{1,3})_*,_*(\d{1,3})_*\)$/
    .exec(text.replace(/[_ \t\n\f\r]/g, (blank) => (blank === '_' ? '-' : '_')))
    ?.slice(1);
  return parts?.every((part) => Number(part) <= 255 && (part === '0' || !part.startsWith('0'))) ?? false;
}
