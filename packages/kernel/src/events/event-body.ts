import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Fields around the data of an event (docs/contract/08-webhooks-and-events.md#envelope). */
export interface Envelope {
  eventType: string
  teamId: string
  user: { id: string; client_user_id: string } | null
  /** JSON text. */
  data: string
}

/** Returns the message as it is sent and signed. */
export function writeBody({ eventType, teamId, user, data }: Envelope): string {
  const about =
    user === null
      ? ''
      : `"user_id":"${user.id}","client_user_id":${JSON.stringify(user.client_user_id)},`
  return `{"event_type":${JSON.stringify(eventType)},"data":${data},${about}"team_id":"${teamId}"}`
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
export function packBody(body: string): { body: Buffer; body_bytes: number } {
  const bytes = Buffer.from(body)
  const isLong = bytes.length >= LEAST_COMPRESSED_BYTES
  return { body: isLong ? zstdCompressSync(bytes, FASTEST) : bytes, body_bytes: bytes.length }
}

/** Returns the JSON of a stored body as bytes, whether packBody compressed it or not. */
export function unpackBody(packed: Buffer): Buffer {
  return packed[0] === ZSTD ? zstdDecompressSync(packed) : packed
}
