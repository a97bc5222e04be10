import { isIPv4, isIPv6 } from 'node:net';
import { isDuration } from './duration-format.ts';

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const uuid = (version: string) =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));
const variantUuid = (version: string) =>
  matches(
    new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'),
  );
const date = matches(/^\d{4}-\d{2}-\d{2}$/);
const dateTime = matches(/^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?$/);

/** The formats that texts are checked against; others mean something to people only. */
const formats: Readonly<Record<string, Check>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: matches(/^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: matches(
    /^(?:[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2}){4}(?:(?:\1[0-9a-fA-F]{2}){2}|(?:\1[0-9a-fA-F]{2}){14})?|[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}(?:\.[0-9a-fA-F]{4}|(?:\.[0-9a-fA-F]{4}){7})?)$/,
  ),
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: variantUuid('4'),
  uuid5: variantUuid('5'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: isRgbColor,
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: (text) => date(text) && isMoment(`${text}T00:00:00Z`),
  duration: isDuration,
  datetime: isDateTime,
  'date-time': isDateTime,
};

export const checkedFormats = Object.keys(formats);

export function hasFormat(text: string, format: string): boolean {
  return !Object.hasOwn(formats, format) || formats[format]!(text);
}

function isMoment(text: string): boolean {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === text.slice(0, 10);
}

function isDateTime(text: string): boolean {
  return dateTime(text) && isMoment(`${text.slice(0, 10)}T${text.slice(11, 16)}:00Z`);
}

/** An absolute URI, or a path from the root. */
function isUri(text: string): boolean {
  if (/[\s\u0000-\u001f\u007f]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return false;
  return text.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:./.test(text);
}

function isHostname(text: string): boolean {
  if (text.length > 255) return false;
  return text
    .replace(/\.$/, '')
    .split('.')
    .every((part) => part.length <= 63 && /^[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(part));
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

const withoutSeparators = (text: string) => text.replace(/[\s-]/g, '');

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
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text)?.slice(1);
  return parts?.every((part) => Number(part) <= 255 && (part === '0' || !part.startsWith('0'))) ?? false;
}
