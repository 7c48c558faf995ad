import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import { checkDueRules } from './check-rules.service.ts'
import type { RuleContext } from './read-values.service.ts'
import { checkSilence } from './silence.service.ts'

/** Limits a job, since one starts each minute and would otherwise hold its worker longer. */
const SWEEP_MS = 45_000

/** Checks rules whose data changed, and those that time alone may trigger. */
export function ruleJobs(context: RuleContext): JobDefinitions {
  const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(SWEEP_MS)])
  return {
    handlers: {
      check_rules: (_payload, signal) => checkDueRules(context, limited(signal)),
      check_silence: (_payload, signal) => checkSilence(context, limited(signal)),
    },
    schedule: '* * * * * check_rules\n* * * * * check_silence',
  }
}
