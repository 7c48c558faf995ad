import { ProviderEmulator } from '@salus/sandbox/providers'

/** Loaded before a server: its sandboxes ask the emulated vendors of another process. */
ProviderEmulator.prototype.listen = async () => {}
Object.defineProperty(ProviderEmulator.prototype, 'url', {
  get: () => process.env.BENCH_VENDORS_URL,
})
