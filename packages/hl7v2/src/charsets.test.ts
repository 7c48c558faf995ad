import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Charset, charsetNamed, decodeBytes, encodeText, nameOfCharset } from './charsets.ts'

const PARTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 15]
const ISO: Charset[] = PARTS.map((part) => `iso-8859-${part}` as const)
const NAMED: Charset[] = ['us-ascii', 'utf-8', ...ISO]

describe('a character set', () => {
  for (const charset of [...ISO, 'windows-1252', 'us-ascii'] as const) {
    test(`${charset} has one character for a byte, and the same byte for it`, () => {
      let valid = 0
      for (let byte = 0; byte < 256; byte++) {
        const text = decodeBytes(Buffer.of(byte), charset)
        if (text === undefined) continue
        valid++
        assert.equal(text.length, 1)
        assert.deepEqual([...(encodeText(text, charset) ?? [])], [byte])
      }
      const size = { 'us-ascii': 128, 'windows-1252': 256, 'iso-8859-1': 224 }[charset as string]
      assert.ok(size === undefined ? valid > 170 : valid === size)
    })
  }

  test('has the letters of its part', () => {
    const letter = (byte: number, charset: Charset) => decodeBytes(Buffer.of(byte), charset)
    assert.deepEqual(
      ISO.map((charset) => letter(0xe6, charset)),
      ['æ', 'ć', 'ĉ', 'æ', 'ц', 'ن', 'ζ', 'ז', 'æ', 'æ'],
    )
    assert.equal(letter(0xa4, 'iso-8859-15'), '€')
    assert.equal(letter(0x80, 'windows-1252'), '€')
    assert.equal(letter(0xfd, 'iso-8859-9'), 'ı')
  })

  test('is known by its name in MSH-18', () => {
    for (const charset of NAMED) assert.equal(charsetNamed(nameOfCharset(charset)), charset)
    for (const [name, charset] of [
      ['UTF-8', 'utf-8'],
      ['unicode', 'utf-8'],
      [' UNICODE UTF-8 ', 'utf-8'],
      ['iso8859-1', 'iso-8859-1'],
      ['8859-15', 'iso-8859-15'],
      ['US-ASCII', 'us-ascii'],
      ['CP1252', 'windows-1252'],
    ] as const) {
      assert.equal(charsetNamed(name), charset, name)
    }
    for (const name of ['', '8859/12', '8859/', 'ISO IR87', 'UNICODE UTF-16', 'BIG-5']) {
      assert.equal(charsetNamed(name), undefined, name)
    }
  })

  test('has no bytes for what it lacks', () => {
    assert.equal(encodeText('é', 'us-ascii'), undefined)
    assert.equal(encodeText('€', 'iso-8859-1'), undefined)
    assert.equal(encodeText('\ud800', 'utf-8'), undefined)
    assert.equal(encodeText('😀', 'windows-1252'), undefined)
  })
})
