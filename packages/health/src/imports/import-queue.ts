import { defineJob } from '@salus/kernel/jobs/jobs'

/** Folder of uploaded files in the file store. */
export const IMPORT_FILES = 'imports'

/** Payload of the queue for the worker. */
export interface ImportPayload {
  environmentId: string
  userId: string
  jobId: string
  baseUrl: string
  /** Slug of the format that the caller named; absent to recognize it. */
  format?: string
  /** Of jobs that were queued before it was an option. */
  removesMissing?: boolean
}

export const IMPORT_FILE = defineJob<ImportPayload>('import_file')

/** Jobs that were queued before there were other formats. */
export const IMPORT_APPLE_HEALTH = defineJob<ImportPayload>('import_apple_health')

/**
 * One import of a user at a time: two would count each other's samples. Queues outlive their jobs,
 * so there are few names and they identify no user.
 */
export const importQueue = (userId: string): string =>
  `import ${Number.parseInt(userId.slice(-2), 16)}`
