import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { newId } from '../ids.ts'
import { type Clock, systemClock } from '../time/clock.ts'
import {
  type FileStore,
  type ListedFile,
  limitBytes,
  removeLeftovers,
  spool,
} from './file-store.ts'
import type { BucketLocation } from './files-location.ts'
import { NO_SPACE } from './growing-files.ts'
import { throwKnown } from './s3-errors.ts'
import { partBytes, S3GrowingFiles } from './s3-growing-files.ts'

export interface S3Options {
  location: BucketLocation
  /** Without them the client uses a role of the machine or the container. */
  credentials:
    | { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
    | undefined
  /** Folder of the copies that readers seek in: as large as the largest file. */
  copiesFolder: string
  clock?: Clock
}

/** Number of parts in transfer at the same time, each of them in memory. */
const PARTS_AT_ONCE = 2

const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000
const COPY = '.copy'

/**
 * Opens files in a bucket of Amazon S3 or of a compatible service. An object exists completely or
 * not at all, so a write needs no draft.
 */
export function openS3FileStore(options: S3Options): FileStore {
  const { location, copiesFolder, clock = systemClock } = options
  const client = createClient(options)
  const { bucket: Bucket, prefix } = location
  const keyOf = (kind: string, name: string): string => `${prefix}${kind}/${name}`
  const objectOf = (kind: string, name: string) => ({ Bucket, Key: keyOf(kind, name) })

  async function stream(kind: string, name: string): Promise<Readable> {
    const command = new GetObjectCommand(objectOf(kind, name))
    const { Body } = await client.send(command).catch(throwKnown)
    // In Node.js a body is a readable stream; its type includes browsers too.
    return Body as Readable
  }

  return {
    write: (kind, name, content, maxBytes) =>
      upload(client, objectOf(kind, name), content, maxBytes),
    stream,
    async read(kind, name) {
      const chunks: Buffer[] = []
      for await (const chunk of await stream(kind, name)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    async withPath(kind, name, work) {
      await mkdir(copiesFolder, { recursive: true, mode: 0o700 })
      const path = join(copiesFolder, newId() + COPY)
      try {
        await copyTo(path, await stream(kind, name))
        return await work(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    withSpooled: (_kind, content, maxBytes, work) =>
      spool(copiesFolder, newId() + COPY, content, maxBytes, work),
    async remove(kind, name) {
      await client.send(new DeleteObjectCommand(objectOf(kind, name))).catch(throwKnown)
    },
    growing: new S3GrowingFiles(client, location),
    // A rule of the bucket removes parts of interrupted uploads: docs/running.md.
    removeLeftovers: () => removeLeftovers(copiesFolder, COPY, clock),
    list: () => listBucket(client, location),
    async check() {
      // A bucket that answers that this object does not exist can be read, and may be listed.
      const command = new GetObjectCommand(objectOf('check', 'nothing'))
      await client.send(command).catch((error: Error) => {
        if (error.name !== 'NoSuchKey') throw error
      })
    },
    measure: async () => null,
  }
}

async function* listBucket(
  client: S3Client,
  { bucket: Bucket, prefix: Prefix }: BucketLocation,
): AsyncGenerator<ListedFile> {
  try {
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
      for (const { Key = '', Size = 0 } of page.Contents ?? []) {
        // A kind and a name have no slash; anything else in the bucket is not ours.
        const [kind = '', name = '', ...rest] = Key.slice(Prefix.length).split('/')
        if (kind !== '' && name !== '' && rest.length === 0) yield { kind, name, bytes: Size }
      }
    }
  } catch (error) {
    throwKnown(error)
  }
}

function createClient({ location: { region, endpoint }, credentials }: S3Options): S3Client {
  return new S3Client({
    region: region ?? 'us-east-1',
    ...(credentials && { credentials: { ...credentials } as Required<typeof credentials> }),
    // Services other than Amazon's have their buckets in the path, and few support its trailing
    // checksums.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
  })
}

async function upload(
  client: S3Client,
  object: { Bucket: string; Key: string },
  content: Readable | Buffer,
  maxBytes: number,
): Promise<number> {
  let bytes = 0
  let sourceError: unknown
  const limited = limitBytes(content, maxBytes, (total) => {
    bytes = total
  })
  async function* body() {
    try {
      yield* limited
    } catch (error) {
      sourceError = error
      throw error
    }
  }
  const sending = new Upload({
    client,
    params: { ...object, Body: Readable.from(body()) },
    partSize: partBytes(maxBytes),
    queueSize: PARTS_AT_ONCE,
  })
  await sending.done().catch((error: unknown) => {
    // An error of the sender, or its disconnection, is not an error of the storage.
    if (sourceError !== undefined) throw sourceError
    throwKnown(error)
  })
  return bytes
}

async function copyTo(path: string, content: Readable): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ENOSPC' ? NO_SPACE : error
  } finally {
    await file.close()
  }
}
