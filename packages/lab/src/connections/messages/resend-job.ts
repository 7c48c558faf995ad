import { defineJob } from '@salus/kernel/jobs/jobs'

/** A message to send again, of the connection with the name. */
export interface ResendJob {
  environmentId: string
  connection: string
  messageId: string
}

/** The job that sends a message again: once, because the operator sees the outcome. */
export const RESEND_LAB_MESSAGE = defineJob<ResendJob>('resend_lab_message', { maxAttempts: 1 })
