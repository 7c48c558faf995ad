import { defineEvent } from '@salus/contracts/event-type'
import { ParsingJob } from './lab-reports.schema.ts'

const STARTED = {
  id: '5d0a7c1e-8f42-4b6a-9e13-2c7d4f5a6b80',
  job_id: '5d0a7c1e-8f42-4b6a-9e13-2c7d4f5a6b80',
  user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  status: 'started',
  failure_reason: null,
  data: null,
  needs_human_review: false,
  is_reviewed: false,
  review_reasons: [],
  patient_match: null,
  progress: null,
  created_at: '2026-03-02T17:45:00+00:00',
  updated_at: '2026-03-02T17:45:00+00:00',
} satisfies ParsingJob

export const parsingJobCreated = defineEvent({
  name: 'lab_report.parsing_job.created',
  data: ParsingJob,
  meaning: 'The files of a lab report were stored, and parsing has started.',
  isAboutUser: true,
  example: STARTED,
})

export const parsingJobUpdated = defineEvent({
  name: 'lab_report.parsing_job.updated',
  data: ParsingJob,
  meaning: 'The parsing of a lab report was completed, failed, or waits for a reviewer.',
  isAboutUser: true,
  example: {
    ...STARTED,
    status: 'completed',
    progress: { pages_read: 1, pages: 1 },
    patient_match: {
      status: 'match',
      name: { outcome: 'match', compared_with: 'demographics' },
      birth_date: { outcome: 'match', compared_with: 'demographics' },
      sex: { outcome: 'match', compared_with: 'demographics' },
      has_other_patients: false,
      is_confirmed: false,
    },
    updated_at: '2026-03-02T17:45:04+00:00',
    data: {
      metadata: {
        patient_first_name: 'Ada',
        patient_last_name: 'Moreau',
        dob: '04/12/1990',
        gender: 'female',
        lab_name: 'Example Laboratory',
        date_reported: '03/01/2026',
        date_collected: '02/27/2026',
        specimen_number: 'A-4711',
      },
      results: [
        {
          test_name: 'Glucose',
          value: '112',
          sample_type: 'serum_plasma_blood',
          measurement_kind: 'direct',
          type: 'numeric',
          units: 'mg/dL',
          max_reference_range: 99,
          min_reference_range: 65,
          source_panel_name: 'Comprehensive metabolic panel',
          sensitivity: 'unknown',
          loinc_matches: [
            {
              loinc_code: '2345-7',
              loinc_name: 'Glucose [Mass/volume] in Serum or Plasma',
              display_name: 'Glucose',
              aliases: ['Blood sugar'],
              confidence_score: 0.97,
            },
          ],
          loinc_match_status: 'auto_match',
          interpretation: 'abnormal',
          is_above_max_range: true,
          is_below_min_range: false,
        },
      ],
    },
  },
})

/** The events that this domain raises. */
export const LAB_REPORT_EVENTS = [parsingJobCreated, parsingJobUpdated]
