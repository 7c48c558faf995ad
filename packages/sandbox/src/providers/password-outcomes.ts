import type { FastifyReply } from 'fastify'
import { outcomeOf, type PasswordOutcome } from './pages.ts'
import type { Sessions } from './sessions.ts'

const MOST_NAME = 200

/**
 * Returns what a password does at an account. One that its user has closed refuses every password.
 */
export async function outcomeAt(
  sessions: Pick<Sessions, 'isClosed'>,
  account: unknown,
  password: unknown,
): Promise<PasswordOutcome> {
  if (typeof account !== 'string' || account === '' || account.length > MOST_NAME) return 'wrong'
  if (typeof password !== 'string' || (await sessions.isClosed(account))) return 'wrong'
  return outcomeOf(password)
}

/** Answers that the whole service has trouble. */
export const sendDown = (reply: FastifyReply): FastifyReply =>
  reply.status(503).type('text/html').send('<html><body>Service Unavailable</body></html>')
