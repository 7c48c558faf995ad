import { type SendUpload, TUS, UPLOAD_REQUEST_MS, uploadInParts } from '../../upload-in-parts.ts'
import { ApiError, toApiError } from './api-error.ts'

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
  return uploadInParts(file, {
    send: createSender(uploads, `${baseUrl}/v2/user/${userId}/import/uploads`, signal),
    identity,
    refusalOf: (error) => (error instanceof ApiError ? error : undefined),
    onProgress,
    signal,
  })
}

/** Returns a function that sends requests about uploads. @throws ApiError for every refusal */
function createSender(
  { findToken, forgetToken }: UploadAccess,
  url: string,
  signal: AbortSignal | undefined,
): SendUpload {
  const request: SendUpload = async (method, id, headers, body) => {
    const authorization = `Bearer ${await findToken()}`
    const limit = AbortSignal.timeout(UPLOAD_REQUEST_MS)
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
