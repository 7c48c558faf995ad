/** What a device recorded in a second; undefined values are written as invalid. */
export interface FitRecord {
  /** Epoch milliseconds. */
  at: number
  latitude?: number | undefined
  longitude?: number | undefined
  altitudeMeters?: number | undefined
  heartRate?: number | undefined
  /** Turns a minute: of the crank, or of one leg. */
  cadence?: number | undefined
  distanceMeters?: number | undefined
  metersASecond?: number | undefined
  watts?: number | undefined
  celsius?: number | undefined
}

/** The device's summary of an activity. */
export interface FitSession {
  /** Epoch milliseconds. */
  from: number
  to: number
  /** Numbers of the protocol: 2 is cycling; 46 is gravel, 8 a mountain, 28 an electric bicycle. */
  sport: number
  subSport: number
  /** Seconds in motion. */
  movingSeconds: number
  distanceMeters: number
  calories: number
  meanHeartRate?: number | undefined
  highestHeartRate?: number | undefined
  meanWatts?: number | undefined
  highestWatts?: number | undefined
  normalizedWatts?: number | undefined
  ascentMeters?: number | undefined
  /** Offset of the device's clock from UTC, milliseconds. */
  offset: number
}

/** Seconds from 1970 to the beginning of FIT's time, 1989-12-31. */
const FIT_EPOCH = 631_065_600
const SEMICIRCLES_A_DEGREE = 2 ** 31 / 180

/** Base types of the protocol: number, size, and the value that stands for none. */
const TYPES = {
  enum: [0x00, 1, 0xff],
  sint8: [0x01, 1, 0x7f],
  uint8: [0x02, 1, 0xff],
  uint16: [0x84, 2, 0xffff],
  sint32: [0x85, 4, 0x7fffffff],
  uint32: [0x86, 4, 0xffffffff],
} as const
type TypeName = keyof typeof TYPES

interface Field {
  number: number
  type: TypeName
  scale?: number
  shift?: number
}

const FILE_ID = 0
const RECORD = 20
const FILE_ID_FIELDS: readonly Field[] = [
  { number: 0, type: 'enum' },
  { number: 1, type: 'uint16' },
  { number: 4, type: 'uint32' },
]
const RECORD_FIELDS: readonly (Field & { of: (record: FitRecord) => number | undefined })[] = [
  { number: 253, type: 'uint32', of: ({ at }) => Math.floor(at / 1000) - FIT_EPOCH },
  { number: 0, type: 'sint32', scale: SEMICIRCLES_A_DEGREE, of: ({ latitude }) => latitude },
  { number: 1, type: 'sint32', scale: SEMICIRCLES_A_DEGREE, of: ({ longitude }) => longitude },
  { number: 78, type: 'uint32', scale: 5, shift: 500, of: (record) => record.altitudeMeters },
  { number: 3, type: 'uint8', of: ({ heartRate }) => heartRate },
  { number: 4, type: 'uint8', of: ({ cadence }) => cadence },
  { number: 5, type: 'uint32', scale: 100, of: ({ distanceMeters }) => distanceMeters },
  { number: 73, type: 'uint32', scale: 1000, of: ({ metersASecond }) => metersASecond },
  { number: 7, type: 'uint16', of: ({ watts }) => watts },
  { number: 13, type: 'sint8', of: ({ celsius }) => celsius },
]

const secondsOf = (at: number): number => Math.floor(at / 1000) - FIT_EPOCH

const SESSION = 18
const SESSION_FIELDS: readonly (Field & { of: (session: FitSession) => number | undefined })[] = [
  { number: 253, type: 'uint32', of: ({ to }) => secondsOf(to) },
  { number: 2, type: 'uint32', of: ({ from }) => secondsOf(from) },
  { number: 5, type: 'enum', of: ({ sport }) => sport },
  { number: 6, type: 'enum', of: ({ subSport }) => subSport },
  { number: 7, type: 'uint32', scale: 1000, of: ({ from, to }) => (to - from) / 1000 },
  { number: 8, type: 'uint32', scale: 1000, of: (session) => session.movingSeconds },
  { number: 9, type: 'uint32', scale: 100, of: (session) => session.distanceMeters },
  { number: 11, type: 'uint16', of: ({ calories }) => calories },
  { number: 16, type: 'uint8', of: (session) => session.meanHeartRate },
  { number: 17, type: 'uint8', of: (session) => session.highestHeartRate },
  { number: 20, type: 'uint16', of: ({ meanWatts }) => meanWatts },
  { number: 21, type: 'uint16', of: ({ highestWatts }) => highestWatts },
  { number: 22, type: 'uint16', of: ({ ascentMeters }) => ascentMeters },
  { number: 34, type: 'uint16', of: ({ normalizedWatts }) => normalizedWatts },
]
const ACTIVITY = 34
const ACTIVITY_FIELDS: readonly (Field & { of: (session: FitSession) => number | undefined })[] = [
  { number: 253, type: 'uint32', of: ({ to }) => secondsOf(to) },
  { number: 1, type: 'uint16', of: () => 1 },
  { number: 5, type: 'uint32', of: ({ to, offset }) => secondsOf(to + offset) },
]

const ACTIVITY_FILE = 4
/** Numbers of manufacturers. */
export const WAHOO_FITNESS = 32
export const HAMMERHEAD = 289

/** Writes an activity as a FIT file, of protocol 1.0 and little endian. */
export function fitFile(
  records: readonly FitRecord[],
  { manufacturer = WAHOO_FITNESS, session }: { manufacturer?: number; session?: FitSession } = {},
): Buffer {
  const createdAt = Math.floor((records[0]?.at ?? 0) / 1000) - FIT_EPOCH
  const body = Buffer.concat([
    definitionOf(0, FILE_ID, FILE_ID_FIELDS),
    messageOf(0, FILE_ID_FIELDS, [ACTIVITY_FILE, manufacturer, createdAt]),
    definitionOf(1, RECORD, RECORD_FIELDS),
    ...records.map((record) =>
      messageOf(
        1,
        RECORD_FIELDS,
        RECORD_FIELDS.map((field) => field.of(record)),
      ),
    ),
    ...(session === undefined
      ? []
      : [
          ...summaryOf(2, SESSION, SESSION_FIELDS, session),
          ...summaryOf(3, ACTIVITY, ACTIVITY_FIELDS, session),
        ]),
  ])
  const header = Buffer.alloc(14)
  header.writeUInt8(14, 0)
  header.writeUInt8(0x10, 1)
  header.writeUInt16LE(2140, 2)
  header.writeUInt32LE(body.length, 4)
  header.write('.FIT', 8, 'ascii')
  header.writeUInt16LE(checksumOf(header.subarray(0, 12)), 12)
  const file = Buffer.concat([header, body, Buffer.alloc(2)])
  file.writeUInt16LE(checksumOf(file.subarray(0, -2)), file.length - 2)
  return file
}

function summaryOf(
  local: number,
  message: number,
  fields: readonly (Field & { of: (session: FitSession) => number | undefined })[],
  session: FitSession,
): Buffer[] {
  const values = fields.map((field) => field.of(session))
  return [definitionOf(local, message, fields), messageOf(local, fields, values)]
}

function definitionOf(local: number, message: number, fields: readonly Field[]): Buffer {
  const head = Buffer.from([0x40 | local, 0, 0, 0, 0, fields.length])
  head.writeUInt16LE(message, 3)
  return Buffer.concat([
    head,
    ...fields.map(({ number, type }) => {
      const [base, size] = TYPES[type]
      return Buffer.from([number, size, base])
    }),
  ])
}

function messageOf(
  local: number,
  fields: readonly Field[],
  values: readonly (number | undefined)[],
): Buffer {
  return Buffer.concat([
    Buffer.from([local]),
    ...fields.map(({ type, scale = 1, shift = 0 }, index) => {
      const [, size, invalid] = TYPES[type]
      const value = values[index]
      const stored = value === undefined ? invalid : Math.round((value + shift) * scale)
      const bytes = Buffer.alloc(size)
      if (type.startsWith('s')) bytes.writeIntLE(stored, 0, size)
      else bytes.writeUIntLE(stored, 0, size)
      return bytes
    }),
  ])
}

const CHECKSUM = [
  0x0000, 0xcc01, 0xd801, 0x1400, 0xf001, 0x3c00, 0x2800, 0xe401, 0xa001, 0x6c00, 0x7800, 0xb401,
  0x5000, 0x9c01, 0x8801, 0x4400,
]

/** The checksum of the protocol, by halves of bytes. */
function checksumOf(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    for (const half of [byte & 15, byte >> 4]) {
      sum = ((sum >> 4) & 0x0fff) ^ (CHECKSUM[sum & 15] ?? 0) ^ (CHECKSUM[half] ?? 0)
    }
  }
  return sum
}
