/** Routes that need no key. Whoever adds one writes it down here. */
export const PUBLIC_ROUTES = [
  '/',
  '/favicon.ico',
  '/favicon.svg',
  '/health/live',
  '/health/ready',
  '/healthz',
  '/readyz',
  '/metrics',
  '/assets/providers/{slug}.svg',
  '/openapi.json',
  '/docs/',
  '/docs/js/scalar.js',
  '/link',
  '/link/done',
  '/assets/web/{file}',
]
