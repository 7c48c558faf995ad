import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { callApi, fetchServer, readAnswer, requireApiKey } from '../connection/api-client.ts'
import { ApiError, UnreachableError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { pause } from '../terminal/interruption.ts'
import { type RememberedUpload, rememberUpload } from './remembered-uploads.ts'

/** A file that can be read again from any position. */
export interface UploadedFile {
  path: string
  bytes: number
  /** Milliseconds of the epoch. */
  changedAt: number
}

/** The upload as the server returns it. */
interface UploadState {
  id: string
  offset: number
}

export interface UploadWatcher {
  /** @param sent Number of bytes that the server has, or that are on their way. */
  onProgress(sent: number): void
  /** Called before a new attempt, when the server did not respond, or refused for the moment. */
  onWaiting(sent: number): void
}

/** Bytes of a request: few enough for the limits that proxies have by default. */
const REQUEST_BYTES = 8 * 1024 ** 2
const CHUNK_BYTES = 256 * 1024
/** A connection on which nothing moves for this time is dead. */
const STALL_MS = 60_000
/** Time without progress after which the command gives up: a restart of a server takes less. */
const PATIENCE_MS = 120_000
const DELAYS_MS = [250, 500, 1000, 2000, 3000]
const TUS = { 'tus-resumable': '1.0.0' }

/**
 * Uploads a file by the tus protocol 1.0. It survives lost connections and restarts of the server,
 * and continues an upload of the same file that an earlier run of the command began.
 */
export class ResumableUpload {
  readonly #connection: Connection
  readonly #file: UploadedFile
  readonly #path: string
  readonly #note: RememberedUpload
  #state: UploadState | undefined
  #sent = 0
  #isRemembered = false

  constructor(connection: Connection, file: UploadedFile, userId: string) {
    this.#connection = connection
    this.#file = file
    this.#path = `/v2/user/${userId}/import/uploads`
    const identity = [connection.url, userId, resolve(file.path), file.bytes, file.changedAt]
    this.#note = rememberUpload(connection.cacheDirectory, identity)
  }

  /** Number of bytes that another run of the command need not send again. */
  get kept(): number {
    return this.#isRemembered ? this.#sent : 0
  }

  /**
   * Sends what the server does not have.
   * @returns The id of the upload.
   * @throws CliError when the server refuses the file or stays silent, the reason of `signal`
   */
  async send(watcher: UploadWatcher, signal: AbortSignal): Promise<string> {
    return untilPatienceEnds(
      async () => {
        const state = await this.#open()
        while (state.offset < this.#file.bytes) {
          state.offset = await this.#sendPart(state, watcher, signal)
          this.#sent = state.offset
        }
        return state.id
      },
      { offset: () => this.#sent, onWaiting: () => watcher.onWaiting(this.#sent), signal },
    )
  }

  /** Forgets the upload, once the server no longer needs it. */
  forget(): Promise<void> {
    return this.#note.forget()
  }

  /** Finds the upload of this run or of an earlier one, or creates it. */
  async #open(): Promise<UploadState> {
    const id = this.#state?.id ?? (await this.#note.read())
    const found = id === undefined ? undefined : await this.#find(id)
    this.#state = found ?? (await this.#create())
    this.#sent = this.#state.offset
    this.#isRemembered = await this.#note.save(this.#state.id)
    return this.#state
  }

  async #find(id: string): Promise<UploadState | undefined> {
    try {
      return await callApi<UploadState>(this.#connection, 'GET', `${this.#path}/${id}`)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    }
  }

  async #create(): Promise<UploadState> {
    const key = requireApiKey(this.#connection)
    const response = await fetchServer(this.#connection, this.#connection.url + this.#path, {
      method: 'POST',
      headers: {
        ...TUS,
        'x-service-api-key': key.value,
        'upload-length': String(this.#file.bytes),
      },
      signal: AbortSignal.timeout(30_000),
    })
    return readAnswer<UploadState>(this.#connection, response, key)
  }

  /** Sends one request; returns the number of bytes that the server has then. */
  async #sendPart(
    { id, offset }: UploadState,
    { onProgress }: UploadWatcher,
    signal: AbortSignal,
  ): Promise<number> {
    const key = requireApiKey(this.#connection)
    const end = Math.min(offset + REQUEST_BYTES, this.#file.bytes)
    const stalled = new AbortController()
    const timer = setTimeout(() => stalled.abort(), STALL_MS)
    const onSent = (sent: number): void => {
      timer.refresh()
      onProgress(sent)
    }
    const ended = AbortSignal.any([signal, stalled.signal])
    try {
      const response = await fetchServer(
        this.#connection,
        `${this.#connection.url}${this.#path}/${id}`,
        {
          method: 'PATCH',
          headers: {
            ...TUS,
            'x-service-api-key': key.value,
            'content-type': 'application/offset+octet-stream',
            'upload-offset': String(offset),
          },
          body: ReadableStream.from(readPart(this.#file.path, offset, end, ended, onSent)),
          duplex: 'half',
          signal: ended,
        },
      )
      if (response.status !== 204) await readAnswer(this.#connection, response, key)
      return Number(response.headers.get('upload-offset') ?? end)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function* readPart(
  path: string,
  start: number,
  end: number,
  signal: AbortSignal,
  onSent: (sent: number) => void,
): AsyncGenerator<Uint8Array> {
  let sent = start
  // The file gets the signal as well: an aborted fetch reads the rest of its body otherwise.
  const options = { start, end: end - 1, highWaterMark: CHUNK_BYTES, signal }
  for await (const chunk of createReadStream(path, options)) {
    yield chunk as Uint8Array
    // The next chunk is requested when this one was sent.
    sent += (chunk as Uint8Array).length
    onSent(sent)
  }
}

/** Refusals that end by themselves, besides those of a server that is down. */
const PASSING_STATUSES = [409, 423, 429]

function isPassing(error: unknown): boolean {
  if (error instanceof UnreachableError) return true
  if (!(error instanceof ApiError)) return false
  // A full disk is not emptied by waiting.
  if (error.errorType === 'storage_full') return false
  return error.status >= 500 || PASSING_STATUSES.includes(error.status)
}

interface Patience {
  /** Position whose growth begins the patience anew. */
  offset(): number
  onWaiting(): void
  signal: AbortSignal
}

/**
 * Tries again after failures that pass, for two minutes without progress.
 * @throws The last failure, or the reason of the signal.
 */
export async function untilPatienceEnds<T>(
  work: () => Promise<T>,
  { offset, onWaiting, signal }: Patience,
): Promise<T> {
  let attempt = 0
  let best = offset()
  let progressedAt = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (offset() > best) {
        best = offset()
        attempt = 0
        progressedAt = performance.now()
      }
      if (!isPassing(error) || performance.now() - progressedAt > PATIENCE_MS) throw error
    }
    onWaiting()
    await pause(DELAYS_MS[Math.min(attempt, DELAYS_MS.length - 1)] ?? 0, signal)
    attempt += 1
  }
}
