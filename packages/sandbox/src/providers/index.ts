export { type EmulatorOptions, ProviderEmulator, SANDBOX_PATH } from './emulator.ts'
export type { Fault, FaultKind } from './faults.ts'
export {
  createMemoryStore,
  type StateChange,
  type StateEntry,
  type StateStore,
} from './state/state-store.ts'
