import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { unwrapResponse } from '../../../api/client.ts'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import { uploadImportFile } from '../../../api/upload-import-file.ts'
import { type ImportJob, type ImportOptions, importQuery } from './import-queries.ts'

interface Request {
  file: File
  /** Slug of the format; undefined recognizes it. */
  format?: string
  options?: ImportOptions
}

/** Uploads a file and begins its import; `share` is the part that the server has. */
export function useImport(userId: string, onBegun: (jobId: string) => void) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [share, setShare] = useState(0)
  const [abort, setAbort] = useState<AbortController>()
  const sending = useMutation({
    mutationFn: async ({ file, ...wanted }: Request) => {
      const controller = new AbortController()
      setAbort(controller)
      setShare(0)
      const { signal } = controller
      const { uploads } = environment
      const id = await uploadImportFile(userId, file, { uploads, onProgress: setShare, signal })
      return beginImport(environment, userId, id, wanted)
    },
    onSuccess: async (job) => {
      queries.setQueryData(importQuery(environment, userId, job.id).queryKey, job)
      onBegun(job.id)
      const imports = [...environment.key, 'person', userId, 'imports']
      await queries.invalidateQueries({ queryKey: imports })
    },
  })
  const stop = (): void => {
    abort?.abort()
    sending.reset()
  }
  return { sending, share, stop }
}

async function beginImport(
  { team }: Environment,
  userId: string,
  uploadId: string,
  { format, options = {} }: Omit<Request, 'file'>,
): Promise<ImportJob> {
  const query = { upload_id: uploadId, ...(format !== undefined && { format }), ...options }
  try {
    const params = { path: { user_id: userId }, query }
    return await unwrapResponse(team.POST('/v2/user/{user_id}/import', { params }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    // An earlier attempt whose answer was lost began it: a job has the id of its upload.
    const params = { path: { user_id: userId, job_id: uploadId } }
    return unwrapResponse(team.GET('/v2/user/{user_id}/import/{job_id}', { params }))
  }
}
