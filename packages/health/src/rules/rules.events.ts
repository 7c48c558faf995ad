import { defineEvent } from '@salus/contracts/event-type'
import { RuleEpisodeEvent } from './rules.schema.ts'

const EPISODE = {
  id: '7a1d2c3b-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  rule_id: '5b6c7d8e-9f0a-4b1c-8d2e-3f4a5b6c7d8e',
  rule_name: 'Glucose above 180 mg/dL for 2 hours',
  condition_type: 'threshold',
  status: 'triggered',
  start: '2026-03-02T12:15:00',
  end: null,
  value: 214,
  threshold: 180,
  unit: 'mg/dL',
  triggered_at: '2026-03-02T14:20:00+00:00',
  resolved_at: null,
  resolved_reason: null,
  team_id: '6a1f2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b',
} satisfies RuleEpisodeEvent

export const ruleTriggered = defineEvent({
  name: 'rule.triggered',
  data: RuleEpisodeEvent,
  meaning: 'The condition of a rule holds for a user. It is sent once for each episode.',
  isAboutUser: true,
  example: EPISODE,
})

export const ruleResolved = defineEvent({
  name: 'rule.resolved',
  data: RuleEpisodeEvent,
  meaning:
    'The condition of a rule does not hold any longer, or the rule was paused or changed. A goal has no such event.',
  isAboutUser: true,
  example: {
    ...EPISODE,
    status: 'resolved',
    end: '2026-03-02T15:30:00',
    resolved_at: '2026-03-02T15:46:00+00:00',
    resolved_reason: 'data',
  },
})

/** The events that this domain raises. */
export const RULE_EVENTS = [ruleTriggered, ruleResolved]
