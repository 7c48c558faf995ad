import { createCipheriv, createDecipheriv } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** Bytes of content in one block: each block is checked before it is passed on. */
const BLOCK_BYTES = 64 * 1024

/**
 * Encrypts a stream of any length under a key that is used for nothing else: blocks of AES-256-GCM,
 * each with its number and whether it is the last one, so that none can be left out, repeated,
 * swapped or cut off.
 */
export async function* sealStream(
  key: Buffer,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let number = 0
  // One whole block is held back, because it may be the last.
  for await (const { block, isLast } of cutBlocks(content, BLOCK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast))
    yield Buffer.concat([cipher.update(block), cipher.final(), cipher.getAuthTag()])
    number += 1
  }
}

/**
 * @throws Error when the stream is not what was sealed under the key, at the first block that shows
 *   it
 */
export async function* openStream(
  key: Buffer,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { block, isLast } of cutBlocks(sealed, BLOCK_BYTES + TAG_BYTES)) {
    if (block.length < TAG_BYTES) throw new Error('The sealed file is cut off.')
    const contentEnd = block.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast))
    decipher.setAuthTag(block.subarray(contentEnd))
    yield Buffer.concat([decipher.update(block.subarray(0, contentEnd)), decipher.final()])
    number += 1
  }
}

/** Returns the number of a block in eight bytes, followed by whether it is the last one. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number))
  nonce[8] = isLast ? 1 : 0
  return nonce
}

/**
 * Yields blocks of one length; the last one may be shorter, and is empty where there is no content.
 */
async function* cutBlocks(
  content: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<{ block: Buffer; isLast: boolean }> {
  let held = Buffer.alloc(0)
  for await (const chunk of content) {
    held = Buffer.concat([held, chunk])
    while (held.length > length) {
      yield { block: held.subarray(0, length), isLast: false }
      held = held.subarray(length)
    }
  }
  yield { block: held, isLast: true }
}
