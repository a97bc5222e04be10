// Request smuggling: requests whose end two servers may see at different places.

const chunked = 'Transfer-Encoding: chunked\r\n';

/** The last headers and the body of each request. Whatever follows must not be read as a request. */
export const ambiguousRequests: Readonly<Record<string, string>> = {
  'a length and chunks': `${chunked}Content-Length: 5\r\n\r\n0\r\n\r\n`,
  'chunks and a length': `Content-Length: 5\r\n${chunked}\r\n0\r\n\r\n`,
  'two lengths': 'Content-Length: 0\r\nContent-Length: 44\r\n\r\n',
  'two lengths in one header': 'Content-Length: 0, 44\r\n\r\n',
  'a length with a sign': 'Content-Length: +0\r\n\r\n',
  'a length below zero': 'Content-Length: -1\r\n\r\n',
  'a length in another base': 'Content-Length: 0x0\r\n\r\n',
  'a length that is too large to be one': 'Content-Length: 99999999999999999999\r\n\r\n',
  'a tab before the colon': 'Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n',
  'a space before the colon': 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
  'a header that is folded': 'X: a\r\n b\r\nContent-Length: 0\r\n\r\n',
  'a folded transfer encoding': 'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n',
  'a bare line feed between headers': 'X: a\nContent-Length: 0\r\n\r\n',
  'a bare carriage return in a header': 'X: a\rContent-Length: 0\r\n\r\n',
  'a null in a header': 'X: a\0b\r\nContent-Length: 0\r\n\r\n',
  'a null in the name of a header': 'X\0: a\r\nContent-Length: 0\r\n\r\n',
  'a chunk length that is none': `${chunked}\r\nxyz\r\n{}\r\n0\r\n\r\n`,
  'a chunk length below zero': `${chunked}\r\n-1\r\n{}\r\n0\r\n\r\n`,
  'a chunk length in C notation': `${chunked}\r\n0x2\r\n{}\r\n0\r\n\r\n`,
  'a chunk length that is too large to be one': `${chunked}\r\n10000000000000002\r\n{}\r\n0\r\n\r\n`,
  'a chunk that ends with a bare line feed': `${chunked}\r\n2\n{}\r\n0\r\n\r\n`,
  'a chunk that is longer than it says': `${chunked}\r\n1\r\n{}\r\n0\r\n\r\n`,
};
