import type { FailureType } from '@salus/contracts/lab-gateway'

/** A comment of a laboratory instead of a result. */
export interface FailureComment {
  type: FailureType
  /** Matches the comment in lower case. */
  pattern: RegExp
}

/**
 * Comments of laboratories from which the reason of a missing result is inferred
 * (docs/contract/13-results.md#missingbiomarkerresult). The first match counts, so reasons that
 * other comments mention in passing come first.
 */
export const FAILURE_COMMENTS: readonly FailureComment[] = [
  {
    type: 'missing_demo_aoe_calc_failure',
    pattern:
      /\b(age|sex|gender|race|height|weight|gestational age|date of birth|dob|patient (data|information|history)|clinical (data|information)|aoe|ask at order entry)\b.{0,40}\b(not (given|provided|supplied|stated|received|available)|missing|required|needed|unknown)\b/,
  },
  {
    type: 'missing_result_calc_failure',
    pattern:
      /\b(unable to|can ?not( be)?|could not( be)?|not( be)?|invalid|no)\b.{0,12}\bcalculat|\bcalculat\w*\b.{0,40}\b(not (valid|possible|performed|available|reported)|invalid|unavailable|impossible)\b|\btriglycerides?\b.{0,30}(>|over|above|exceeds?|greater than).{0,6}\b[48]00\b/,
  },
  {
    type: 'non_failure',
    pattern:
      /\bduplicat\w*\b|\balready (performed|resulted|reported|ordered)\b|\b(included|reported|performed) (in|under|with|on) (another|other|a different|the other)\b|\bcancel\w* (by|per|at)( the)?( request of)?( the)? (client|physician|provider|customer|patient|ordering)\b/,
  },
  {
    type: 'insufficient_volume',
    pattern: /\b(insufficient|inadequate|low|short) (sample |specimen |blood )?volume\b/,
  },
  {
    type: 'quantity_not_sufficient_failure',
    pattern:
      /\bq\.?n\.?s\b|\bquantity (is |was )?(not|in)[ -]?sufficient\b|\b(insufficient|inadequate|not enough) (quantity|amount|sample|specimen|blood|serum|plasma|urine|material)\b|\b(sample|specimen) (is |was )?(insufficient|too small)\b|\bshort (sample|draw|specimen)\b/,
  },
  {
    type: 'patient_condition_failure',
    pattern:
      /\b(gross(ly)? )?lip(a?e)mi[ac]\b|\bicter(ic|us)\b|\bheterophil\w*|\binterfer(ing|ence)\b|\bparaprotein\w*|\b(patient|person) (was |is )?(not fasting|non-?fasting)\b|\bcold agglutinin\w*/,
  },
  {
    type: 'drop_off_failure',
    pattern:
      /\bstability\b|\b(sample|specimen) (is |was )?(too old|expired|leaked|leaking|lost in transit|not received)\b|\bno (sample|specimen) (was )?received\b|\b(received|arrived) (too )?(late|warm|thawed|frozen|ambient|at room temperature|leaking|broken|damaged)\b|\b(broken|damaged|lost) in (transit|transport|shipment)\b|\bdelay(ed)? in (transit|transport|receipt)\b|\btemperature (excursion|not maintained)\b/,
  },
  {
    type: 'collection_process_failure',
    pattern:
      /\bha?emoly\w*|\bclot(s|ted)?\b|\b(not|un|im|never)[ -]?(properly )?(centrifuged|spun|separated|mixed)\b|\b(wrong|incorrect|improper|inappropriate|unsuitable|unacceptable) (tube|container|specimen|sample|collection|anticoagulant|preservative|device|source|swab)\b|\b(improper(ly)?|incorrectly) (collected|handled|stored|labell?ed|processed|collection|handling|storage|labell?ing)\b|\b(un|mis)[ -]?labell?ed\b|\bcontaminat\w*|\b(under|over)[ -]?fill\w*|\bnot (refrigerated|frozen|protected from light)\b|\bgel barrier\b/,
  },
  {
    type: 'internal_lab_failure',
    pattern:
      /\blab(oratory)? (accident|error|mishap)\b|\b(instrument|analy[sz]er|equipment|assay|reagent|quality control|qc) (\w+ )?(failure|failed|error|malfunction|problem|issue|shortage|unavailable)\b|\btechnical(ly)? (problem|difficult(y|ies)|error|issue|failure|reasons?|unsatisfactory)\b|\b(lost|misplaced|discarded) (in|by|at) (the )?lab(oratory)?\b|\b(not|un) ?reportable\b|\bunable to (report|perform|obtain)\b|\brepeat(ed)? analysis failed\b/,
  },
  {
    type: 'order_entry_failure',
    pattern:
      /\b(test|assay) (was |is )?(not ordered|discontinued|not (offered|available|orderable))\b|\b(ordered|requested|entered) (in error|incorrectly)\b|\b(invalid|wrong|incorrect|unknown) (test|order|orderable)( code)?\b|\bnot on (the )?requisition\b|\b(no|missing|incomplete|invalid) (requisition|order)\b/,
  },
]

/**
 * Texts in place of a value when there is none, compared as a whole in upper case. Short ones that
 * can also be values (NR is non-reactive) are left out.
 */
export const NOT_PERFORMED_TEXTS: ReadonlySet<string> = new Set([
  'TNP',
  'QNS',
  'DNR',
  'DNP',
  'TEST NOT PERFORMED',
  'NOT PERFORMED',
  'TEST NOT REPORTED',
  'NOT REPORTED',
  'NOT REPORTABLE',
  'QUANTITY NOT SUFFICIENT',
  'INSUFFICIENT VOLUME',
  'INSUFFICIENT SAMPLE',
  'SPECIMEN HEMOLYZED',
  'CANCELLED',
  'CANCELED',
  'TEST CANCELLED',
  'TEST CANCELED',
])
