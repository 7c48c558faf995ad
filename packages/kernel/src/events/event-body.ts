import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Fields around the data of an event (docs/contract/08-webhooks-and-events.md#envelope). */
export interface Envelope {
  eventType: string
  teamId: string
  user: { id: string; client_user_id: string } | null
  /** JSON text, or its bytes. */
  data: string | Uint8Array
}

/** Returns the texts around the data of the message as it is sent and signed. */
function textsAround({ eventType, teamId, user }: Envelope): [before: string, after: string] {
  const about =
    user === null
      ? ''
      : `"user_id":"${user.id}","client_user_id":${JSON.stringify(user.client_user_id)},`
  return [`{"event_type":${JSON.stringify(eventType)},"data":`, `,${about}"team_id":"${teamId}"}`]
}

/** Returns the message as it is sent and signed. */
export function writeBody(envelope: Envelope): Buffer {
  const [before, after] = textsAround(envelope)
  const { data } = envelope
  if (typeof data === 'string') return Buffer.from(`${before}${data}${after}`)
  return joinInScratch(Buffer.from(before), data, Buffer.from(after))
}

let scratch = Buffer.alloc(0)

/**
 * Joins parts in memory that the next call uses again: fresh pages for each message cost as much as
 * writing it.
 */
function joinInScratch(...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length)
  let at = 0
  for (const part of parts) {
    scratch.set(part, at)
    at += part.length
  }
  return scratch.subarray(0, length)
}

/** Below this size the time of compressing is worth more than the space. */
const LEAST_COMPRESSED_BYTES = 4096
/** First byte of every zstd frame; JSON never begins with it. */
const ZSTD = 0x28
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Returns a body in its stored form. Samples are so repetitive that a twentieth of the bytes
 * remains, which costs less than sending them to the database would, and far less than its own
 * compression.
 */
export function packBody(body: Buffer): { body: Buffer; body_bytes: number } {
  const isLong = body.length >= LEAST_COMPRESSED_BYTES
  // A short one is copied, because the bytes may be written over.
  return {
    body: isLong ? zstdCompressSync(body, FASTEST) : Buffer.from(body),
    body_bytes: body.length,
  }
}

/** Returns the JSON of a stored body as bytes, whether packBody compressed it or not. */
export function unpackBody(packed: Buffer): Buffer {
  return packed[0] === ZSTD ? zstdDecompressSync(packed) : packed
}
