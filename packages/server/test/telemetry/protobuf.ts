/** A field of a Protocol Buffers message; its definition decides which of the values counts. */
export interface Field {
  number: number
  integer: bigint
  double: number
  bytes: Buffer
}

/** The fields of a message in wire format, without its definition. */
export function readFields(message: Buffer): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const key = readVarint(message, at)
    const field: Field = { number: Number(key.value >> 3n), integer: 0n, double: 0, bytes: EMPTY }
    const kind = Number(key.value & 7n)
    at = key.end
    if (kind === 0) {
      const { value, end } = readVarint(message, at)
      field.integer = value
      at = end
    } else if (kind === 1) {
      field.integer = message.readBigUInt64LE(at)
      field.double = message.readDoubleLE(at)
      at += 8
    } else if (kind === 2) {
      const { value, end } = readVarint(message, at)
      at = end + Number(value)
      field.bytes = message.subarray(end, at)
    } else if (kind === 5) {
      field.integer = BigInt(message.readUInt32LE(at))
      at += 4
    } else throw new Error(`no wire type: ${kind}`)
    fields.push(field)
  }
  return fields
}

const EMPTY = Buffer.alloc(0)

function readVarint(bytes: Buffer, start: number): { value: bigint; end: number } {
  let value = 0n
  for (let at = start; ; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw new Error('a number is cut off')
    value |= BigInt(byte & 127) << BigInt(7 * (at - start))
    if (byte < 128) return { value, end: at + 1 }
  }
}
