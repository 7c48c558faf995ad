import { Nullable } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { UnitPreferences } from './unit-preferences.ts'

const BrandInformation = Type.Object({
  company_name: Type.String({ minLength: 1 }),
  company_website: Type.Optional(Nullable(Type.String())),
  support_email: Type.Optional(Nullable(Type.String())),
  support_contact: Type.Optional(Nullable(Type.String())),
  company_address: Type.Optional(Nullable(Type.String())),
  brand_color: Type.Optional(Nullable(Type.String())),
})

const EscalationMinutes = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 10_080,
      description: 'Minutes until tasks of this kind are escalated; null means never.',
    }),
  ),
)

/** Prefixes of the event types that are sent; null and [] mean all. */
export const EventTypePrefixes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
})

/**
 * Settings of one environment of a team; the defaults are those of
 * docs/contract/01-conventions.md#management-api.
 */
export const settingFields = {
  lab_tests_patient_sms_communication_enabled: Type.Boolean(),
  lab_tests_patient_email_communication_enabled: Type.Boolean(),
  critical_result_notification_email: Nullable(Type.String({ format: 'email' })),
  critical_result_escalation_minutes: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 10_080,
      description:
        'Minutes after which a critical result without an acknowledgement is escalated; null means never.',
    }),
  ),
  task_escalation_minutes: Nullable(
    Type.Object(
      {
        patient_mismatch: EscalationMinutes,
        unmatched_result: EscalationMinutes,
        stuck_order: EscalationMinutes,
        lab_connection: EscalationMinutes,
        lab_report_review: EscalationMinutes,
        provider_connection: EscalationMinutes,
        erasure_request: EscalationMinutes,
      },
      {
        additionalProperties: false,
        description:
          'Minutes after which a task of another kind without an acknowledgement is escalated, by kind; without a number never.',
      },
    ),
  ),
  brand_information: Nullable(BrandInformation),
  // Pages show it as a picture.
  logo_url: Nullable(Type.String({ format: 'uri', maxLength: 2083, pattern: '^https?://' })),
  link_redirect_urls: Nullable(
    Type.Array(Type.String({ format: 'uri', maxLength: 2083 }), {
      maxItems: 100,
      description:
        'Addresses that link sessions may redirect to: those with the same scheme and host, and the same path or one below. null allows every address.',
    }),
  ),
  link_origins: Nullable(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 100,
      description:
        'Origins whose pages may send link tokens from a browser, such as https://app.example.com, and open the link page in a pop-up that reports to them. null allows none.',
    }),
  ),
  reject_duplicate_connection: Type.Boolean(),
  sdk_per_device_activity_timeseries: Type.Boolean(),
  partial_webhooks_enabled: Type.Boolean(),
  minor_ordering_enabled: Type.Boolean(),
  lab_test_auto_approve: Nullable(
    Type.Boolean({
      description:
        'Whether new lab tests are active at once; null means true in the sandbox and false in production.',
    }),
  ),
  consents_required: Type.Boolean({
    description:
      "Whether orders through the installation's physicians need the patient's consents.",
  }),
  redraws_enabled: Type.Boolean({
    description: 'Whether missing results are requested again by a new order.',
  }),
  appointment_scheduling_enabled: Type.Boolean({
    description: 'Whether appointments can be booked, rescheduled and cancelled.',
  }),
  early_appointment_booking_enabled: Type.Boolean({
    description: 'Whether appointments can be booked before the laboratory has the requisition.',
  }),
  match_review_enabled: Type.Boolean({
    description: 'Whether the team instead of the operators reviews results that match no order.',
  }),
  lab_report_review_enabled: Type.Boolean({
    description: 'Whether uploads of lab reports can request a review.',
  }),
  units: Nullable(UnitPreferences),
  push_historical_data: Type.Boolean({
    description: 'Whether historical data emit data events too.',
  }),
  portal_erasure_at_once: Type.Boolean({
    description:
      'Whether the request of a user on their page schedules the erasure instead of opening a task.',
  }),
  event_type_prefixes: Nullable(EventTypePrefixes),
}

export const TeamEnvironment = Type.Object(settingFields, { title: 'TeamEnvironment' })
export type TeamEnvironment = Type.Static<typeof TeamEnvironment>

export const DEFAULT_SETTINGS: TeamEnvironment = {
  lab_tests_patient_sms_communication_enabled: true,
  lab_tests_patient_email_communication_enabled: true,
  critical_result_notification_email: null,
  critical_result_escalation_minutes: 60,
  task_escalation_minutes: null,
  brand_information: null,
  logo_url: null,
  link_redirect_urls: null,
  link_origins: null,
  reject_duplicate_connection: false,
  sdk_per_device_activity_timeseries: false,
  partial_webhooks_enabled: false,
  minor_ordering_enabled: false,
  lab_test_auto_approve: null,
  consents_required: false,
  redraws_enabled: false,
  appointment_scheduling_enabled: true,
  early_appointment_booking_enabled: false,
  match_review_enabled: false,
  lab_report_review_enabled: false,
  units: null,
  push_historical_data: false,
  portal_erasure_at_once: false,
  event_type_prefixes: null,
}

/**
 * Stored settings of an environment: only those that were set, so that defaults can still be added.
 */
export type StoredSettings = Partial<TeamEnvironment> & { patient_experience?: boolean }
