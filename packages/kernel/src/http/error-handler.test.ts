import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { AppError, isStoreDown } from '../errors.ts'
import { registerErrorHandler } from './error-handler.ts'

test('an answer that fails on its way, with a serializer of its own, is an error in the usual form', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  registerErrorHandler(app)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode >= 400) return done(null, payload)
    done(new AppError(503, 'audit_unavailable', 'Try again.'))
  })
  app.get('/stored', (_request, reply) =>
    reply
      .type('text/plain')
      .serializer((text) => text as string)
      .send('{"done":true}'),
  )
  const answer = await app.inject('/stored')
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(answer.json().detail.error_type, 'audit_unavailable')
})

test('a refusal of a pooler is of a store that does not answer, and a broken protocol is not', () => {
  const refusal = (severity: string) =>
    Object.assign(new Error('server conn crashed?'), { code: '08P01', severity })
  assert.equal(isStoreDown(refusal('FATAL')), true)
  assert.equal(isStoreDown(refusal('ERROR')), false)
})
