/** Seconds from 1970 to the beginning of FIT's time. */
export const FIT_EPOCH = 631_065_600

/** Numbers of messages and fields of the FIT protocol, with their bytes and scale. */
const MESSAGES = {
  file_id: [
    0,
    { type: [0, 1], manufacturer: [1, 2], product: [2, 2], serial: [3, 4], time: [4, 4] },
  ],
  session: [
    18,
    {
      timestamp: [253, 4],
      start: [2, 4],
      sport: [5, 1],
      kind: [6, 1],
      elapsed: [7, 4, 1000],
      timer: [8, 4, 1000],
      distance: [9, 4, 100],
      cycles: [10, 4],
      calories: [11, 2],
      mean_rate: [16, 1],
      most_rate: [17, 1],
    },
  ],
  record: [
    20,
    {
      timestamp: [253, 4],
      lat: [0, 4, 2 ** 31 / 180],
      lng: [1, 4, 2 ** 31 / 180],
      rate: [3, 1],
      cadence: [4, 1],
      distance: [5, 4, 100],
    },
  ],
  weight_scale: [30, { timestamp: [253, 4], weight: [0, 2, 100], fat: [1, 2, 100] }],
  activity: [34, { timestamp: [253, 4], local: [5, 4] }],
  monitoring: [
    55,
    {
      timestamp: [253, 4],
      low: [26, 2],
      kind: [5, 1],
      cycles: [3, 4],
      distance: [2, 4, 100],
      rate: [27, 1],
    },
  ],
  monitoring_info: [103, { timestamp: [253, 4], local: [0, 4] }],
  stress: [227, { level: [0, 2], time: [1, 4] }],
} as const satisfies Record<string, readonly [number, Record<string, readonly number[]>]>

export type FitMessage = readonly [
  name: keyof typeof MESSAGES,
  values: Readonly<Record<string, number>>,
]

const SIGNED = new Set(['lat', 'lng', 'level'])
/** Enumerations are an enum or a byte; numbers of more bytes are unsigned. */
const BASE_TYPES: Readonly<Record<number, number>> = { 1: 2, 2: 0x84, 4: 0x86 }

/** Returns the time of FIT of an instant, epoch milliseconds or a text. */
export const fitTime = (at: number | string): number =>
  (typeof at === 'string' ? Date.parse(at) : at) / 1000 - FIT_EPOCH

/** A FIT file, written by the protocol: each message has a definition of its own. */
export function buildFit(messages: readonly FitMessage[]): Buffer {
  const body = Buffer.concat(messages.flatMap(([name, values]) => messageOf(name, values)))
  const header = Buffer.alloc(14)
  header.writeUInt8(14, 0)
  header.writeUInt8(0x20, 1)
  header.writeUInt16LE(2140, 2)
  header.writeUInt32LE(body.length, 4)
  header.write('.FIT', 8, 'latin1')
  header.writeUInt16LE(checksum(header.subarray(0, 12)), 12)
  const content = Buffer.concat([header, body])
  const crc = Buffer.alloc(2)
  crc.writeUInt16LE(checksum(content))
  return Buffer.concat([content, crc])
}

function messageOf(
  name: keyof typeof MESSAGES,
  values: Readonly<Record<string, number>>,
): Buffer[] {
  const [number, known] = MESSAGES[name] as readonly [number, Record<string, readonly number[]>]
  const fields = Object.entries(values).map(([field, value]) => {
    const [id = 0, size = 4, scale = 1] = known[field] ?? []
    return { id, size, value: Math.round(value * scale), isSigned: SIGNED.has(field) }
  })
  const definition = [0x40, 0, 0, number & 0xff, number >> 8, fields.length]
  for (const { id, size, isSigned } of fields) {
    const signed = size === 2 ? 0x83 : 0x85
    definition.push(id, size, isSigned ? signed : (BASE_TYPES[size] ?? 2))
  }
  const data = [Buffer.from([0])]
  for (const { size, value, isSigned } of fields) {
    const bytes = Buffer.alloc(size)
    if (isSigned) bytes.writeIntLE(value, 0, size)
    else bytes.writeUIntLE(value, 0, size)
    data.push(bytes)
  }
  return [Buffer.from(definition), ...data]
}

/** The CRC of the protocol: polynomial 0xA001, bit by bit. */
export function checksum(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
