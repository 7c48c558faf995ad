import { APPOINTMENT_LABS } from '@salus/contracts/lab-gateway'

/** Returns a module of the laboratories at whose sites appointments are booked, for the console. */
export function describeAppointmentLabs(): string {
  const labs = APPOINTMENT_LABS.map((slug) => `  '${slug}',\n`).join('')
  return `// generated from packages/contracts/src/lab-gateway/scheduling/scheduling-providers.registry.ts by scripts/generate.ts; do not edit

/** Laboratories at whose sites appointments are booked. */
export const APPOINTMENT_LABS = [
${labs}] as const
export type AppointmentLab = (typeof APPOINTMENT_LABS)[number]
`
}
