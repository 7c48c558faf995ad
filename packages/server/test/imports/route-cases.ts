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

const TEMPLATES = '/v2/import/templates'
const ADDRESSES = '/v2/user/{user_id}/import_addresses'

/** A template for a table of a blood glucose meter. */
export const TEMPLATE = {
  date_format: 'day_first',
  time_zone: 'Europe/Vienna',
  decimal: ',',
  start: { column: 'Date', time_column: 'Time' },
  values: [{ series: 'glucose', column: 'Glucose', unit: 'mmol/L', type: 'fingerprick' }],
}

const TABLE = 'Date;Time;Glucose\n31.03.2026;07:05;5,6\n'

/** Templates of a team, and addresses of its users. */
export const IMPORT_SETTING_CASES: readonly RouteCase[] = [
  { method: 'GET', path: TEMPLATES, ...own },
  { method: 'POST', path: TEMPLATES, body: () => ({ name: 'New', template: TEMPLATE }), ...own },
  { method: 'GET', path: `${TEMPLATES}/{template_id}`, ...theirs },
  {
    method: 'PUT',
    path: `${TEMPLATES}/{template_id}`,
    body: ({ templateId }) => ({ name: `Renamed ${templateId}`, template: TEMPLATE }),
    ...theirs,
  },
  { method: 'DELETE', path: `${TEMPLATES}/{template_id}`, ...theirs, ...fresh },
  {
    method: 'POST',
    path: '/v2/import/preview',
    body: () => ({ content: TABLE, template: TEMPLATE }),
    ...own,
  },
  { method: 'GET', path: ADDRESSES, ...theirs },
  { method: 'POST', path: ADDRESSES, body: () => ({ label: 'Phone' }), ...theirs },
  { method: 'DELETE', path: `${ADDRESSES}/{address_id}`, ...theirs, ...fresh },
  {
    method: 'POST',
    path: '/v2/import/health_auto_export/{address_secret}',
    body: () => Buffer.from('{"data":{"metrics":[]}}'),
    credential: 'none',
    ...own,
  },
]
