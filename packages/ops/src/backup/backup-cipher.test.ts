import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { openPart, sealPart } from './backup-cipher.ts'

const MIB = 1024 ** 2
const key = randomBytes(32)

async function* chunks(content: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes)
}

const seal = (content: Buffer, part = 'a/b') => buffer(sealPart(chunks(content, 70_001), key, part))
const open = (sealed: Buffer, part = 'a/b', keys = [key]) =>
  buffer(openPart(chunks(sealed, 33_333), keys, part))

test('a part of any length opens as it was, and never reads the same twice', async () => {
  for (const length of [0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB + 7]) {
    const content = randomBytes(length)
    const sealed = await seal(content)
    assert.ok((await open(sealed)).equals(content), `${length}`)
    assert.ok((await open(sealed, 'a/b', [randomBytes(32), key])).equals(content))
    assert.ok(!(await seal(content)).equals(sealed))
  }
  const text = Buffer.from('a person'.repeat(1000))
  assert.equal((await seal(text)).includes('person'), false)
})

test('a part that lacks its end, has another byte, other pieces or another name is refused', async () => {
  const content = randomBytes(3 * MIB)
  const sealed = await seal(content)
  const piece = MIB + 16
  const header = sealed.length - 3 * piece
  const pieces = [0, 1, 2].map((n) =>
    sealed.subarray(header + n * piece, header + (n + 1) * piece),
  ) as [Buffer, Buffer, Buffer]
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(header + MIB) ^ 1, header + MIB)
  const refused: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['a part of the header', sealed.subarray(0, 20)],
    ['no piece', sealed.subarray(0, header)],
    ['one byte less', sealed.subarray(0, -1)],
    ['one byte more', Buffer.concat([sealed, Buffer.alloc(1)])],
    ['without the last piece', sealed.subarray(0, -piece)],
    ['without the first', Buffer.concat([sealed.subarray(0, header), pieces[1], pieces[2]])],
    ['exchanged', Buffer.concat([sealed.subarray(0, header), pieces[1], pieces[0], pieces[2]])],
    ['another byte', changed],
    ['another file', Buffer.from('PK this is something else entirely, of some length')],
  ]
  for (const [what, bytes] of refused) {
    await assert.rejects(open(bytes), { name: 'StartupError' }, what)
  }
  await assert.rejects(open(sealed, 'a/c'), /broken or was changed/)
  await assert.rejects(open(sealed, 'a/b', [randomBytes(32)]), /another secret key/)
})
