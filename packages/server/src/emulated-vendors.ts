import { ProviderEmulator } from '@salus/sandbox/providers'
import { sandboxAppOf } from './health/connectors/index.ts'
import type { JobDefinitions } from './platform/jobs/jobs.ts'
import { createEmulatorState } from './platform/postgres/emulator-state.ts'
import type { Services, ServicesOptions } from './services.ts'

/** The vendors of sandboxes, unless they are switched off. */
export function openEmulator(options: ServicesOptions): ProviderEmulator | undefined {
  const { config, db, clock, log, secrets } = options
  if (!config.providerEmulator) return undefined
  const onError = (error: Error) => log.error({ err: error }, 'an emulated vendor failed')
  return new ProviderEmulator({
    clock,
    store: createEmulatorState(db),
    clientSecret: () => sandboxAppOf(secrets).clientSecret,
    onError,
  })
}

/** What emulated vendors do by themselves: they tell what is new, and forget what is over. */
export function emulatorJobs({
  db,
  clock,
  emulator,
}: ServicesOptions & Pick<Services, 'emulator'>): JobDefinitions {
  if (emulator === undefined) return { handlers: {}, schedule: '' }
  return {
    handlers: {
      push_emulated_changes: () => emulator.pushChanges(),
      sweep_emulator_state: () => createEmulatorState(db).sweep(clock.now()),
    },
    schedule: '*/5 * * * * push_emulated_changes\n37 * * * * sweep_emulator_state',
  }
}
