// The health check of the container: exits with 0 when this process answers, and with 1 otherwise.
const { PORT = '8787', SALUS_HEALTH_PORT, SALUS_ROLES = '', HOST = '' } = process.env
const isApi = SALUS_ROLES === '' || SALUS_ROLES.split(',').some((role) => role.trim() === 'api')
const address = ['', '0.0.0.0'].includes(HOST) ? '127.0.0.1' : HOST === '::' ? '[::1]' : HOST
const url = `http://${address}:${isApi ? PORT : SALUS_HEALTH_PORT}/health/live`

const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
process.exit(answer?.ok ? 0 : 1)
