import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { encodeCursor } from './cursor.ts'
import {
  CREATION_PAGES,
  INSTANT_KEY,
  integerKey,
  KeysetPages,
  LISTED_INSTANT,
  textKey,
  UUID_KEY,
} from './keyset-pages.ts'

const LIST = ['things', 'environment', { name: 'a' }]
const ID = '0a5f1b8e-1c9b-4f0e-9d55-2f1d6c1f7a10'
const PAGES = new KeysetPages({
  at: INSTANT_KEY,
  listedAt: LISTED_INSTANT,
  id: UUID_KEY,
  count: integerKey(1, 10),
  hash: textKey(/^\d+$/),
})
const POSITION = {
  at: new Date('2026-02-28T12:00:00.123Z'),
  listedAt: '2026-02-28 12:00:00.123456+00',
  id: ID,
  count: 3,
  hash: '123',
}
const PARTS = ['2026-02-28T12:00:00.123Z', POSITION.listedAt, ID, 3, '123']

const isInvalidCursor = (error: unknown) =>
  error instanceof AppError && error.status === 400 && error.errorType === 'invalid_cursor'

test('a cursor leads back to its position', () => {
  const cursor = PAGES.write(LIST, POSITION)
  assert.deepEqual(PAGES.read(LIST, cursor), POSITION)
})

test('without a cursor, or with an empty one, it is the first page', () => {
  for (const cursor of [undefined, null, '']) assert.equal(PAGES.read(LIST, cursor), null)
})

test('a cursor of another list, a malformed one and a forged position are refused', () => {
  const forged = (index: number, part: unknown) =>
    encodeCursor(LIST, PARTS.with(index, part as string))
  const refused = {
    nonsense: 'nonsense',
    'no array': Buffer.from('{}').toString('base64url'),
    'another list': PAGES.write(['others'], POSITION),
    'fewer parts': encodeCursor(LIST, PARTS.slice(1)),
    'more parts': encodeCursor(LIST, [...PARTS, 1]),
    'no day': forged(0, '2026-02-30T12:00:00.000Z'),
    'a number for a time': forged(0, 1772280000000),
    'a time that PostgreSQL does not write': forged(1, '2026-02-28T12:00:00Z'),
    'no UUID': forged(2, 'x'),
    'a list of a UUID': forged(2, [ID]),
    'too small': forged(3, 0),
    'too large': forged(3, 11),
    'half a number': forged(3, 1.5),
    'a text for a number': forged(3, '3'),
    'another text': forged(4, 'abc'),
    'a number for a text': forged(4, 123),
  }
  for (const [what, cursor] of Object.entries(refused)) {
    assert.throws(() => PAGES.read(LIST, cursor), isInvalidCursor, what)
  }
  assert.deepEqual(PAGES.read(LIST, encodeCursor(LIST, PARTS)), POSITION)
})

test('one row more than the limit is a further page', () => {
  const pages = new KeysetPages({ number: integerKey() })
  const cut = (rows: readonly number[]) => pages.cut(LIST, rows, 2, (number) => ({ number }))
  assert.deepEqual(cut([]), { page: [], nextCursor: null })
  assert.deepEqual(cut([1, 2]), { page: [1, 2], nextCursor: null })
  const { page, nextCursor } = cut([1, 2, 3])
  assert.deepEqual([page, pages.read(LIST, nextCursor)], [[1, 2], { number: 2 }])
})

test('pages by creation go on after the last row', () => {
  const rows = [POSITION, POSITION].map(({ listedAt: position, id }) => ({ position, id, more: 1 }))
  const { page, nextCursor } = CREATION_PAGES.cut(LIST, rows, 1)
  assert.deepEqual(page, rows.slice(1))
  const after = CREATION_PAGES.read(LIST, nextCursor)
  assert.deepEqual(after, { createdAt: POSITION.listedAt, id: ID })
})
