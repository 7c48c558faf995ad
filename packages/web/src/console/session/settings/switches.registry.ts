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

/** What a team can switch on in an environment, by what it is about. */
export const SWITCHES: readonly { title: string; rows: readonly SwitchRow[] }[] = [
  {
    title: 'Laboratories',
    rows: [
      {
        name: 'lab_tests_patient_email_communication_enabled',
        label: 'E-mails to patients',
        description: 'Patients may get e-mails about their orders.',
      },
      {
        name: 'lab_tests_patient_sms_communication_enabled',
        label: 'Text messages to patients',
        description: 'Patients may get text messages about their orders.',
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
          'Orders through the physicians of the installation need the consents of the patient.',
      },
      {
        name: 'minor_ordering_enabled',
        label: 'Patients under 18',
        description: 'Tests can be ordered for minors.',
      },
      {
        name: 'redraws_enabled',
        label: 'Redraws',
        description: 'Results that the laboratory still owes are asked for again by a new order.',
      },
      {
        name: 'match_review_enabled',
        label: 'Review of unmatched results',
        description:
          'Results that fit no order safely are put before your team, and not before the operator.',
      },
      {
        name: 'lab_report_review_enabled',
        label: 'Review of lab reports',
        description: 'Uploads of reports can ask for a person who checks what was read.',
      },
    ],
  },
  {
    title: 'Health data and events',
    rows: [
      {
        name: 'push_historical_data',
        label: 'Events of history',
        description:
          'What connections bring of the time before they were made is sent as events, too.',
      },
      {
        name: 'partial_webhooks_enabled',
        label: 'Partial data',
        description: 'Events of a day are sent while the day still goes on.',
      },
      {
        name: 'reject_duplicate_connection',
        label: 'One person for an account',
        description:
          'An account of a provider that is connected to one person already is refused for another.',
      },
      {
        name: 'sdk_per_device_activity_timeseries',
        label: 'Activity by device',
        description: 'Phones upload the activity of each of their devices as a series of its own.',
      },
    ],
  },
]
