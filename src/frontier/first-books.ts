/** Fields of the books, and where the lambda page stands among them (lua/includes/store.lua). */
const FIELDS = 18;
const LAMBDA = 4;
const WIDTH = 8;

/** The books of a crawl that begins: everything is 0, and lambda has all credit. */
export function firstBooks(credit: number): Buffer {
  const books = Buffer.alloc(FIELDS * WIDTH);
  books.writeDoubleBE(credit, LAMBDA * WIDTH);
  return books;
}
