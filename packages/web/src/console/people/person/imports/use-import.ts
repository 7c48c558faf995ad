import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
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

interface QueuedFile {
  id: number
  file: File
  state: 'waiting' | 'sending' | 'failed'
  /** Why it was not sent. */
  problem?: string
}

/** Files that are uploaded one after the other. */
export interface ImportQueue {
  items: readonly QueuedFile[]
  /** Whether there is something to send, and no empty file. */
  isReady: boolean
  isSending: boolean
  /** Part and size of the file that is being uploaded. */
  share: number
  bytes: number
  add: (files: readonly File[]) => void
  remove: (id: number) => void
  begin: (wanted: Omit<Request, 'file'>) => void
  stop: () => void
}

let filesChosen = 0

/**
 * Uploads several files in their order and begins an import of each. What began leaves the queue,
 * and continues on the server; what failed stays, with the reason.
 */
export function useImportQueue(userId: string, onBegun: (jobId: string) => void): ImportQueue {
  const [items, setItems] = useState<readonly QueuedFile[]>([])
  const { sending, share, stop } = useImport(userId, onBegun)
  const isStopped = useRef(false)
  const change = (id: number, changes: Partial<QueuedFile>): void =>
    setItems((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)))
  const remove = (id: number): void => setItems((all) => all.filter((one) => one.id !== id))
  const begin = async (wanted: Omit<Request, 'file'>): Promise<void> => {
    isStopped.current = false
    for (const { id, file } of items) {
      if (isStopped.current) return
      change(id, { state: 'sending' })
      try {
        await sending.mutateAsync({ file, ...wanted })
        remove(id)
      } catch (error) {
        const isOwn = isStopped.current
        const problem = error instanceof Error ? error.message : 'It could not be uploaded.'
        change(id, isOwn ? { state: 'waiting' } : { state: 'failed', problem })
      }
    }
  }
  const sent = items.find(({ state }) => state === 'sending')
  return {
    ...{ items, share, remove, begin },
    isReady: items.length > 0 && items.every(({ file }) => file.size > 0),
    isSending: sent !== undefined,
    bytes: sent?.file.size ?? 0,
    add: (files) =>
      setItems((all) => [
        ...all,
        ...files.map((file) => {
          filesChosen += 1
          return { id: filesChosen, file, state: 'waiting' as const }
        }),
      ]),
    stop: () => {
      isStopped.current = true
      stop()
    },
  }
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
