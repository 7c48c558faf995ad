/** Sends a request about an upload of the tus protocol. @throws unless the answer is a success */
export type SendUpload = (
  method: string,
  /** Empty, or a slash and the id of the upload. */
  id: string,
  headers?: object,
  body?: Blob,
) => Promise<Response>

interface PartsOptions {
  send: SendUpload
  /** Identifies the file in this browser, without its name, which may be that of a person. */
  identity: string
  /** Returns status and code of a refusal: 0 without an answer. Undefined for other errors. */
  refusalOf: (error: unknown) => { status: number; errorType: string } | undefined
  /** @param share Part of the file that the server has, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined
  signal?: AbortSignal | undefined
}

interface UploadState {
  id: string
  length: number
  offset: number
}

/** Bytes of a request: few enough for the limits that proxies have by default. */
const REQUEST_BYTES = 4 * 1024 ** 2
/** A request ends after this time; what has arrived by then need not be sent again. */
export const UPLOAD_REQUEST_MS = 120_000
/** Time without progress after which the upload gives up; a restart of the server takes less. */
const PATIENCE_MS = 120_000
const DELAYS_MS = [250, 500, 1000, 2000, 3000]
/** Header of every request of the protocol. */
export const TUS = { 'tus-resumable': '1.0.0' }

/**
 * Uploads a file by the tus protocol 1.0. An upload that was broken off continues where it ended.
 * @returns The id of the upload, which an import takes.
 * @throws The last error of `send`; the reason of the signal.
 */
export async function uploadInParts(file: File, options: PartsOptions): Promise<string> {
  const { send, onProgress, signal } = options
  let progressedAt = performance.now()
  let best = 0
  for (let attempt = 0; ; attempt += 1) {
    try {
      const state = await openUpload(options, file.size)
      while (state.offset < file.size) {
        onProgress?.(state.offset / file.size)
        state.offset = await sendPart(send, state, file)
        if (state.offset > best) {
          best = state.offset
          attempt = 0
          progressedAt = performance.now()
        }
      }
      onProgress?.(1)
      return state.id
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(options.refusalOf(error)) || performance.now() - progressedAt > PATIENCE_MS)
        throw error
    }
    await pause(DELAYS_MS[Math.min(attempt, DELAYS_MS.length - 1)] ?? 0, signal)
  }
}

/** Finds the upload that this browser began, or creates one. */
async function openUpload(options: PartsOptions, bytes: number): Promise<UploadState> {
  const { send, identity } = options
  const known = findUploadNote(identity)
  const found = known === undefined ? undefined : await findUpload(options, known)
  if (found?.length === bytes) return found
  const created = await send('POST', '', { 'upload-length': String(bytes) })
  const state = (await created.json()) as UploadState
  saveUploadNote(identity, state.id)
  return state
}

async function findUpload(
  { send, refusalOf }: PartsOptions,
  id: string,
): Promise<UploadState | undefined> {
  try {
    return (await (await send('GET', `/${id}`)).json()) as UploadState
  } catch (error) {
    if (refusalOf(error)?.status === 404) return undefined
    throw error
  }
}

async function sendPart(
  send: SendUpload,
  { id, offset }: UploadState,
  file: File,
): Promise<number> {
  const part = file.slice(offset, offset + REQUEST_BYTES)
  const headers = {
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  }
  const response = await send('PATCH', `/${id}`, headers, part)
  return Number(response.headers.get('upload-offset') ?? offset + part.size)
}

/** No response, and refusals that end by themselves. */
const PASSING_STATUSES = [0, 409, 423, 429]

function isPassing(refusal: ReturnType<PartsOptions['refusalOf']>): boolean {
  // A full disk is not emptied by waiting.
  if (refusal === undefined || refusal.errorType === 'storage_full') return false
  return refusal.status >= 500 || PASSING_STATUSES.includes(refusal.status)
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The server removes an upload after a day; an older note is of no use. */
const KEPT_MS = 2 * 24 * 60 * 60 * 1000
const KEY = 'salus-uploads'

interface Note {
  id: string
  /** Milliseconds of the epoch. */
  at: number
}

function readNotes(): Record<string, Note> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** Returns the id of the upload that this browser began; undefined without one. */
const findUploadNote = (identity: string): string | undefined => readNotes()[identity]?.id

/** Keeps the id of an upload in this browser, for when the page is opened again. */
function saveUploadNote(identity: string, id: string): void {
  const recent = Object.entries(readNotes()).filter(([, { at }]) => Date.now() - at < KEPT_MS)
  const notes = { ...Object.fromEntries(recent), [identity]: { id, at: Date.now() } }
  try {
    localStorage.setItem(KEY, JSON.stringify(notes))
  } catch {
    // A browser that keeps nothing begins again.
  }
}
