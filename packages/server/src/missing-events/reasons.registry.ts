/**
 * Why there was no event of a type about a person
 * (docs/contract/08-webhooks-and-events.md#why-was-there-no-event).
 */
export const MISSING_REASONS = {
  // It would not reach anybody.
  no_webhook: 'The environment has no webhook, so events are stored and sent to nobody.',
  webhook_disabled: 'The webhook is disabled.',
  webhook_not_subscribed: 'The webhook does not subscribe to this type of event.',
  event_type_prefixes: "The team's event_type_prefixes leave this type of event out.",
  not_about_person: 'Events of this type are about no single person, and carry no user_id.',

  // Nothing could be stored.
  no_connection: 'The person is connected to nothing.',
  connection_error: 'The connection ended with an error. The person has to connect again.',
  connection_paused: 'The connection is paused, so nothing is taken in.',
  resource_not_offered: 'No provider that the person is connected to has this resource.',
  nothing_came: 'Nothing of this resource has ever come of the person.',
  last_attempt_failed: 'The last attempt to take in this resource failed.',
  outside_bounds:
    'The person has ingestion bounds. What lies outside of them is dropped without an event.',
  quarantined: 'Some of what came could not be stored, and is in quarantine with its reason.',

  // It was stored, and no event was due.
  unchanged:
    'There are data. What comes again and has not changed since it was stored raises no event.',
  never_changed:
    'What is new raises the event that ends in .created; .updated follows when a stored value changes.',
  history_silent:
    'History raises one event when all of it is stored, and no daily events: push_historical_data of the team is off.',
  history_running: 'The history is still being taken in. Its event comes when all of it is stored.',
  history_failed: 'The history could not be taken in to its end, which raises no event.',
  no_history: 'No history of this resource was ever sent or asked for.',
  history_done: 'The history was taken in. Its event was raised once, at the end.',
  already_connected:
    'The event is raised when a connection is made or made anew, not with each sync.',
  no_connection_error: 'No connection of the person is in error.',
  no_device: 'No data of the person named a device.',
  device_known: 'A device raises an event when it is first seen, or comes with another version.',
  no_row_changed: 'The event is raised when an evaluation changes rows of a continuous query.',

  // Laboratories.
  no_order: 'The person has no order.',
  order_scheduled: 'The order waits for the day on which it is to be handed over.',
  order_waits_in_sandbox: 'Orders in a sandbox go on only when they are simulated.',
  order_unchanged: 'No order of the person has changed its status since.',
  partial_results_silent:
    'First results of an order raise no event: partial_webhooks_enabled of the team is off.',
  order_handed_over: 'No order of the person was given up on its way to the laboratory.',
  no_critical_result: 'No result of the person is critical.',
  no_appointment: 'The person has no appointment.',
  appointment_unchanged: 'No appointment of the person has changed since.',
  reminder_due_later:
    'A reminder is sent once, 24 hours before a confirmed or reserved time; none for a time set later than that.',
  no_report: 'No lab report of the person was uploaded.',
  report_being_read: 'The report is still being read.',
  report_unchanged: 'No lab report of the person has changed its status since.',
} as const

export type MissingReason = keyof typeof MISSING_REASONS

/** A reason with what it is about. */
export interface FoundReason {
  code: MissingReason
  webhook_id?: string
  provider?: string
  order_id?: string
  at?: string | null
}
