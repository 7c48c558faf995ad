import type { ConnectorGuide } from '@salus/health/connectors'

/** Guide of connectors that exist in tests only. */
export const PLAIN_GUIDE: ConnectorGuide = {
  verification: 'emulator_only',
  documentation: null,
  timeZones: 'UTC.',
  limits: 'None.',
  registration: [],
  notes: [],
}
