import type { RouteCase } from '../route-cases.ts'
import { BYTES, TUS } from './upload-client.ts'

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const

export const EXPORT_FILE = Buffer.from(
  '<?xml version="1.0"?><HealthData locale="en_US"></HealthData>',
)

export const IMPORT_CASES: readonly RouteCase[] = [
  {
    method: 'POST',
    path: '/v2/user/{user_id}/import/apple_health',
    body: () => EXPORT_FILE,
    ...theirs,
  },
  { method: 'GET', path: '/v2/import/formats', ...own },
  { method: 'POST', path: '/v2/user/{user_id}/import', body: () => EXPORT_FILE, ...theirs },
  {
    method: 'POST',
    path: '/v2/user/{user_id}/import/uploads',
    body: () => EXPORT_FILE,
    headers: { ...BYTES, 'upload-length': String(EXPORT_FILE.length) },
    ...theirs,
  },
  { method: 'GET', path: '/v2/user/{user_id}/import/uploads/{upload_id}', ...theirs },
  {
    method: 'PATCH',
    path: '/v2/user/{user_id}/import/uploads/{upload_id}',
    body: () => EXPORT_FILE,
    headers: { ...BYTES, 'upload-offset': '0' },
    ...theirs,
    ...fresh,
  },
  {
    method: 'DELETE',
    path: '/v2/user/{user_id}/import/uploads/{upload_id}',
    headers: TUS,
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: '/v2/user/{user_id}/import', ...theirs },
  { method: 'GET', path: '/v2/user/{user_id}/import/{job_id}', ...theirs },
  {
    method: 'PATCH',
    path: '/v2/user/{user_id}/import/{job_id}',
    body: () => ({ date_order: 'day_first', time_zone: 'Europe/Vienna' }),
    ...theirs,
    ...fresh,
  },
]
