import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { FileMissingError } from './file-store.ts'
import type { BucketLocation } from './files-location.ts'
import type { GrowingFile, GrowingFiles } from './growing-files.ts'
import { throwKnown } from './s3-errors.ts'

/** An upload has at most 10,000 parts of at least 5 MiB, and an object 5 TiB. */
const LEAST_PART_BYTES = 8 * 1024 ** 2
const MOST_PARTS = 10_000
const MOST_OBJECT_BYTES = 5 * 1024 ** 4
/** Number of pieces that the service copies or removes at the same time. */
const AT_ONCE = 8

/** Returns the size of the parts of an object of at most this length. */
export const partBytes = (maxBytes: number): number =>
  Math.max(LEAST_PART_BYTES, Math.ceil(Math.min(maxBytes, MOST_OBJECT_BYTES) / MOST_PARTS))

interface Piece {
  Key: string
  bytes: number
}

/**
 * Growing files in a bucket. An object cannot grow, so a file consists of pieces of the same size,
 * each an object `<kind>/<name>.pieces/<number>`; only the last piece is shorter, and the next
 * bytes replace it by a longer one. The service joins the pieces when the file is finished, so
 * their bytes do not return to the server.
 */
export class S3GrowingFiles implements GrowingFiles {
  readonly #client: S3Client
  readonly #location: BucketLocation

  constructor(client: S3Client, location: BucketLocation) {
    this.#client = client
    this.#location = location
  }

  async length(file: GrowingFile): Promise<number> {
    // A process that ended while it removed the joined pieces has left some of them.
    const finished = await this.#finishedLength(file)
    if (finished !== undefined) return finished
    const pieces = await this.#listPieces(file)
    return pieces.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  async append(file: GrowingFile, offset: number, content: AsyncIterable<Buffer>): Promise<number> {
    const size = partBytes(file.bytes)
    let number = Math.floor(offset / size)
    const first = offset % size === 0 ? Buffer.alloc(0) : await this.#readPiece(file, number)
    let kept = [first]
    let bytes = first.length
    let stored = offset
    const store = async (piece: Buffer) => {
      await this.#putPiece(file, number, piece)
      stored = number * size + piece.length
    }
    try {
      for await (const chunk of content) {
        kept.push(chunk)
        bytes += chunk.length
        while (bytes >= size) {
          const joined = Buffer.concat(kept)
          await store(joined.subarray(0, size))
          number += 1
          kept = [joined.subarray(size)]
          bytes -= size
        }
      }
    } finally {
      // Also after a failure of the sender: what has arrived need not be sent again.
      if (number * size + bytes > stored) await store(Buffer.concat(kept))
    }
    return stored
  }

  async finish(file: GrowingFile): Promise<void> {
    const pieces = await this.#listPieces(file)
    if (pieces.length === 0) return
    if ((await this.#finishedLength(file)) !== file.bytes) {
      await joinPieces(this.#client, this.#objectOf(file), pieces).catch(throwKnown)
    }
    await this.#removePieces(pieces)
  }

  async discard(file: GrowingFile): Promise<void> {
    await this.#removePieces(await this.#listPieces(file))
    await this.#client.send(new DeleteObjectCommand(this.#objectOf(file))).catch(throwKnown)
  }

  #objectOf({ kind, name }: GrowingFile) {
    const { bucket: Bucket, prefix } = this.#location
    return { Bucket, Key: `${prefix}${kind}/${name}` }
  }

  #pieceOf(file: GrowingFile, number: number | '') {
    const { Bucket, Key } = this.#objectOf(file)
    return { Bucket, Key: `${Key}.pieces/${number === '' ? '' : String(number).padStart(5, '0')}` }
  }

  async #listPieces(file: GrowingFile): Promise<Piece[]> {
    const pieces: Piece[] = []
    const { Bucket, Key: Prefix } = this.#pieceOf(file, '')
    try {
      for await (const page of paginateListObjectsV2(
        { client: this.#client },
        { Bucket, Prefix },
      )) {
        for (const { Key = '', Size: bytes = 0 } of page.Contents ?? []) pieces.push({ Key, bytes })
      }
    } catch (error) {
      throwKnown(error)
    }
    return pieces
  }

  async #finishedLength(file: GrowingFile): Promise<number | undefined> {
    try {
      const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#objectOf(file)))
      return ContentLength ?? 0
    } catch (error) {
      return ignoreMissing(error)
    }
  }

  async #readPiece(file: GrowingFile, number: number): Promise<Buffer> {
    const command = new GetObjectCommand(this.#pieceOf(file, number))
    const { Body } = await this.#client.send(command).catch(throwKnown)
    return Buffer.from((await Body?.transformToByteArray()) ?? [])
  }

  async #putPiece(file: GrowingFile, number: number, Body: Buffer): Promise<void> {
    const command = new PutObjectCommand({ ...this.#pieceOf(file, number), Body })
    await this.#client.send(command).catch(throwKnown)
  }

  async #removePieces(pieces: readonly Piece[]): Promise<void> {
    const { bucket: Bucket } = this.#location
    await inBatches(pieces, ({ Key }) =>
      this.#client.send(new DeleteObjectCommand({ Bucket, Key })),
    ).catch(throwKnown)
  }
}

async function joinPieces(
  client: S3Client,
  object: { Bucket: string; Key: string },
  pieces: readonly Piece[],
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
  const parts: { PartNumber: number; ETag: string | undefined }[] = []
  await inBatches(pieces, async ({ Key }, index) => {
    const CopySource = encodeURI(`${object.Bucket}/${Key}`)
    const PartNumber = index + 1
    const copy = new UploadPartCopyCommand({ ...object, UploadId, PartNumber, CopySource })
    const { CopyPartResult } = await client.send(copy)
    parts[index] = { PartNumber, ETag: CopyPartResult?.ETag }
  })
  const MultipartUpload = { Parts: parts }
  await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }))
}

async function inBatches<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const batch = items.slice(start, start + AT_ONCE)
    await Promise.all(batch.map((item, index) => work(item, start + index)))
  }
}

function ignoreMissing(error: unknown): undefined {
  try {
    throwKnown(error)
  } catch (known) {
    if (!(known instanceof FileMissingError)) throw known
  }
}
