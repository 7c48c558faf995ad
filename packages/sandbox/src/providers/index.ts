export { type EmulatorOptions, ProviderEmulator } from './emulator.ts'
export { SANDBOX_PATH } from './emulator-server.ts'
export type { Fault, FaultKind } from './faults.ts'
export { type Life, readLife } from './people/life.ts'
export {
  createMemoryStore,
  type StateChange,
  type StateEntry,
  type StateStore,
} from './state/state-store.ts'
export { RECEIVER_PATH } from './webhook-receiver.ts'
