import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  content: Buffer
  stored?: boolean
  encrypted?: boolean
  wrongChecksum?: boolean
  /** Compression method to claim, whatever the content is. */
  method?: number
  claimedBytes?: number
  /** Day at whose midnight the file was written; a zip may have none. */
  writtenOn?: `${number}-${number}-${number}`
}

/** A zip file with the faults a test asks for, which no honest writer would make. */
export function buildZip(parts: ZipPart[], { zip64 = false } = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const data = part.stored ? part.content : deflateRawSync(part.content)
    const name = Buffer.from(part.name)
    const extra = zip64 ? zip64Extra(part.content.length, data.length, offset) : Buffer.alloc(0)
    const fields = headerFields(part, data.length, name.length, zip64)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.alloc(2), name, data])
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(zip64 ? 0xffffffff : offset, 10)
    const length = Buffer.alloc(2)
    length.writeUInt16LE(extra.length)
    directory.push(Buffer.from('PK\x01\x02\x2d\x00'), fields, length, entry, name, extra)
    files.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = endOfDirectory(parts.length, central.length, offset, zip64)
  return Buffer.concat([...files, central, end])
}

function headerFields(part: ZipPart, size: number, nameLength: number, zip64: boolean): Buffer {
  const fields = Buffer.alloc(24)
  fields.writeUInt16LE(45, 0)
  fields.writeUInt16LE(0x800 | (part.encrypted ? 1 : 0), 2)
  fields.writeUInt16LE(part.method ?? (part.stored ? 0 : 8), 4)
  fields.writeUInt16LE(dosDate(part.writtenOn), 8)
  fields.writeUInt32LE(part.wrongChecksum ? 1 : crc32(part.content), 10)
  fields.writeUInt32LE(zip64 ? 0xffffffff : size, 14)
  fields.writeUInt32LE(zip64 ? 0xffffffff : (part.claimedBytes ?? part.content.length), 18)
  fields.writeUInt16LE(nameLength, 22)
  return fields
}

/** The date of MS-DOS, which zips have. */
function dosDate(date: string | undefined): number {
  const [year = 1980, month = 0, day = 0] = date?.split('-').map(Number) ?? []
  return ((year - 1980) << 9) | (month << 5) | day
}

function zip64Extra(plain: number, compressed: number, offset: number): Buffer {
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  extra.writeBigUInt64LE(BigInt(plain), 4)
  extra.writeBigUInt64LE(BigInt(compressed), 12)
  extra.writeBigUInt64LE(BigInt(offset), 20)
  return extra
}

function endOfDirectory(count: number, size: number, offset: number, zip64: boolean): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(zip64 ? 0xffff : count, 8)
  end.writeUInt16LE(zip64 ? 0xffff : count, 10)
  end.writeUInt32LE(zip64 ? 0xffffffff : size, 12)
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16)
  if (!zip64) return end
  const record = Buffer.alloc(56)
  record.write('PK\x06\x06', 'latin1')
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}
