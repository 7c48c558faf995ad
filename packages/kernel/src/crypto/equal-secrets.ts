import { timingSafeEqual } from 'node:crypto'

/** Whether two secrets are equal, in a time that reveals nothing of them but their lengths. */
export function isEqualSecret(given: string | Buffer, expected: string | Buffer): boolean {
  const [left, right] = [Buffer.from(given as string), Buffer.from(expected as string)]
  return left.length === right.length && timingSafeEqual(left, right)
}
