import type { FastifyReply } from 'fastify'
import Type from 'typebox'

/** The success of a route that answers a PDF, for `schema.response`. */
export const PDF_RESPONSE = {
  200: {
    description: 'A PDF document.',
    content: {
      'application/pdf': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
    },
  },
}

/**
 * Sends a document to be shown in place. Documents hold personal data, so caches may not store
 * them.
 */
export function sendPdf(
  reply: FastifyReply,
  { name, content }: { name: string; content: Buffer },
): Buffer {
  reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
    .header('cache-control', 'private, no-store')
  return content
}
