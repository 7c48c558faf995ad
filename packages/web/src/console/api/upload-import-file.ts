import { ApiError, toApiError } from './api-error.ts'
import { findUploadNote, saveUploadNote } from './upload-notes.ts'

/** Access to the uploads of an environment: `useEnvironment` returns it as `uploads`. */
export interface UploadAccess {
  /** Address of the deployment, without a slash at its end. */
  baseUrl: string
  /** Name of the environment, which no other environment has. */
  environment: string
  findToken: () => Promise<string>
  /** Called when the server no longer accepts the token. */
  forgetToken: () => void
}

interface UploadOptions {
  uploads: UploadAccess
  /** @param share Part of the file that the server has, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

interface UploadState {
  id: string
  length: number
  offset: number
}

/** Bytes of a request: few enough for the limits that proxies have by default. */
const REQUEST_BYTES = 4 * 1024 ** 2
/** A request ends after this time; what has arrived by then need not be sent again. */
const REQUEST_MS = 120_000
/** Time without progress after which the upload gives up; a restart of the server takes less. */
const PATIENCE_MS = 120_000
const DELAYS_MS = [250, 500, 1000, 2000, 3000]
const TUS = { 'tus-resumable': '1.0.0' }

/**
 * Uploads a file for an import by the tus protocol 1.0. An upload that was broken off, by a lost
 * connection, a restart of the server or a closed page, continues where it ended when the same file
 * is uploaded again from the same browser within a day.
 * @returns The id of the upload, which an import takes as `upload_id`.
 * @throws ApiError of the server, or `offline` when it stays silent; the reason of the signal.
 */
export async function uploadImportFile(
  userId: string,
  file: File,
  { uploads, onProgress, signal }: UploadOptions,
): Promise<string> {
  const { baseUrl, environment } = uploads
  // Without the name of the file, which may be that of a person.
  const identity = [baseUrl, environment, userId, file.size, file.lastModified].join(' ')
  const send = createSender(uploads, `${baseUrl}/v2/user/${userId}/import/uploads`, signal)
  let progressedAt = performance.now()
  let best = 0
  for (let attempt = 0; ; attempt += 1) {
    try {
      const state = await openUpload(send, identity, file.size)
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
      if (!isPassing(error) || performance.now() - progressedAt > PATIENCE_MS) throw error
    }
    await pause(DELAYS_MS[Math.min(attempt, DELAYS_MS.length - 1)] ?? 0, signal)
  }
}

type Send = (method: string, id: string, headers?: object, body?: Blob) => Promise<Response>

/** Returns a function that sends requests about uploads. @throws ApiError for every refusal */
function createSender(
  { findToken, forgetToken }: UploadAccess,
  url: string,
  signal: AbortSignal | undefined,
): Send {
  const request: Send = async (method, id, headers, body) => {
    const authorization = `Bearer ${await findToken()}`
    const limit = AbortSignal.timeout(REQUEST_MS)
    const sent = fetch(url + id, {
      method,
      headers: { ...TUS, ...headers, authorization },
      ...(body !== undefined && { body }),
      credentials: 'omit',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    return sent.catch(() => {
      signal?.throwIfAborted()
      const message = 'The server cannot be reached. Check the connection.'
      throw new ApiError(0, 'offline', message, null)
    })
  }
  return async (...parts) => {
    let response = await request(...parts)
    if (response.status === 401) {
      // The token ended early, as after a sign-out elsewhere.
      forgetToken()
      response = await request(...parts)
    }
    if (response.ok) return response
    throw toApiError(response.status, await response.json().catch(() => undefined))
  }
}

/** Finds the upload that this browser began, or creates one. */
async function openUpload(send: Send, identity: string, bytes: number): Promise<UploadState> {
  const known = findUploadNote(identity)
  const found = known === undefined ? undefined : await findUpload(send, known)
  if (found?.length === bytes) return found
  const created = await send('POST', '', { 'upload-length': String(bytes) })
  const state = (await created.json()) as UploadState
  saveUploadNote(identity, state.id)
  return state
}

async function findUpload(send: Send, id: string): Promise<UploadState | undefined> {
  try {
    return (await (await send('GET', `/${id}`)).json()) as UploadState
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

async function sendPart(send: Send, { id, offset }: UploadState, file: File): Promise<number> {
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

function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  // A full disk is not emptied by waiting.
  if (error.errorType === 'storage_full') return false
  return error.status >= 500 || PASSING_STATUSES.includes(error.status)
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
