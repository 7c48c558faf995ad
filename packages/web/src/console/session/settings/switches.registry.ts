import type { components } from '../../api/openapi.generated.d.ts'

type Settings = components['schemas']['TeamEnvironment']
type SwitchName = {
  [Name in keyof Settings]-?: NonNullable<Settings[Name]> extends boolean ? Name : never
}[keyof Settings]

export interface SwitchRow {
  name: SwitchName
  label: string
  description: string
}

/** Settings that a team can enable in an environment, by topic. */
export const SWITCHES: readonly { title: string; rows: readonly SwitchRow[] }[] = [
  {
    title: 'Laboratories',
    rows: [
      {
        name: 'lab_tests_patient_email_communication_enabled',
        label: 'E-mails to patients',
        description: 'Patients receive e-mails about their orders.',
      },
      {
        name: 'lab_tests_patient_sms_communication_enabled',
        label: 'Text messages to patients',
        description: 'Patients receive text messages about their orders.',
      },
      {
        name: 'appointment_scheduling_enabled',
        label: 'Appointments',
        description:
          'Visits and appointments at service centers can be booked, moved and cancelled.',
      },
      {
        name: 'early_appointment_booking_enabled',
        label: 'Early booking',
        description: 'Appointments can be booked before the laboratory has the requisition.',
      },
      {
        name: 'consents_required',
        label: 'Consents',
        description:
          'Orders through physicians of the installation require the consents of the patient.',
      },
      {
        name: 'minor_ordering_enabled',
        label: 'Patients under 18',
        description: 'Tests can be ordered for minors.',
      },
      {
        name: 'redraws_enabled',
        label: 'Redraws',
        description: 'Results that the laboratory has not delivered are ordered again.',
      },
      {
        name: 'match_review_enabled',
        label: 'Review of unmatched results',
        description:
          'Your team, and not the operator, decides about results that match no order unambiguously.',
      },
      {
        name: 'lab_report_review_enabled',
        label: 'Review of lab reports',
        description: 'Uploads of lab reports can require a review.',
      },
    ],
  },
  {
    title: 'Health data and events',
    rows: [
      {
        name: 'push_historical_data',
        label: 'Events of history',
        description: 'Data from before a connection are sent as events, too.',
      },
      {
        name: 'partial_webhooks_enabled',
        label: 'Partial data',
        description: 'Events of a day are sent before the day has ended.',
      },
      {
        name: 'reject_duplicate_connection',
        label: 'One person per account',
        description: 'An account of a provider can be connected to only one person.',
      },
      {
        name: 'sdk_per_device_activity_timeseries',
        label: 'Activity by device',
        description: 'Phones upload the activity of each device as a separate series.',
      },
    ],
  },
]
