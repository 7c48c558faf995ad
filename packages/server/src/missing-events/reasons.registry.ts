/**
 * Reasons for which there was no event of a type about a user
 * (docs/contract/08-webhooks-and-events.md#why-was-there-no-event).
 */
export const MISSING_REASONS = {
  // No webhook would receive it.
  no_webhook: 'The environment has no webhook, so events are stored but not sent.',
  webhook_disabled: 'The webhook is disabled.',
  webhook_not_subscribed: 'The webhook does not subscribe to this type of event.',
  event_type_prefixes: 'The event_type_prefixes of the team exclude this type of event.',
  not_about_person: 'Events of this type are not about a single user and have no user_id.',

  // No data could be stored.
  no_connection: 'The user has no connection.',
  connection_error: 'The connection ended with an error. The user has to connect again.',
  connection_paused: 'The connection is paused, so no data are ingested.',
  resource_not_offered: 'No provider of the user offers this resource.',
  nothing_came: 'No data of this resource were ever received for the user.',
  last_attempt_failed: 'The last attempt to ingest this resource failed.',
  outside_bounds:
    'The user has ingestion bounds. Data outside of them are dropped without an event.',
  quarantined: 'Some items could not be stored and are in quarantine with a reason.',

  // Data were stored, and no event was due.
  unchanged: 'Data are stored. Data that arrive again unchanged emit no event.',
  never_changed:
    'New data emit the event that ends in .created; .updated is emitted when a stored value changes.',
  history_silent:
    'Historical data emit one event when all of them are stored, and no daily events, because push_historical_data of the team is off.',
  history_running:
    'The history is still being ingested. Its event is emitted when all of it is stored.',
  history_failed: 'The ingestion of the history failed, so it emits no event.',
  no_history: 'No history of this resource was ever sent or requested.',
  history_done: 'The history was ingested. Its event was emitted once, at the end.',
  already_connected:
    'The event is emitted when a connection is created or renewed, not with each sync.',
  no_connection_error: 'No connection of the user has an error.',
  no_device: 'No data of the user name a device.',
  device_known: 'A device emits an event when it is first seen or has another version.',
  no_row_changed: 'The event is emitted when an evaluation changes rows of a continuous query.',

  // Laboratories.
  no_order: 'The user has no order.',
  order_scheduled: 'The order waits for the day on which it is sent to the laboratory.',
  order_waits_in_sandbox: 'Orders in a sandbox advance only when they are simulated.',
  order_unchanged: 'No order of the user has changed its status since then.',
  partial_results_silent:
    'Partial results of an order emit no event, because partial_webhooks_enabled of the team is off.',
  order_handed_over: 'No order of the user failed to be sent to the laboratory.',
  no_critical_result: 'No result of the user is critical.',
  no_appointment: 'The user has no appointment.',
  appointment_unchanged: 'No appointment of the user has changed since then.',
  reminder_due_later:
    'A reminder is sent once, 24 hours before a confirmed or reserved time. An appointment that is made later than that gets none.',
  no_report: 'No lab report of the user was uploaded.',
  report_being_read: 'The report is still being parsed.',
  report_unchanged: 'No lab report of the user has changed its status since then.',
} as const

export type MissingReason = keyof typeof MISSING_REASONS

/** A reason with its subject. */
export interface FoundReason {
  code: MissingReason
  webhook_id?: string
  provider?: string
  order_id?: string
  at?: string | null
}
