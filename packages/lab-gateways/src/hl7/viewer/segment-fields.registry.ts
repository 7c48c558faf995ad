/**
 * Names of the segments that laboratories send and take, and of their fields in order, as in
 * HL7 2.5.1. Earlier versions have the same fields under nearly the same names.
 */
export const SEGMENT_FIELDS: Readonly<Record<string, readonly [title: string, fields: string]>> = {
  FHS: [
    'File header',
    'Field separator|Encoding characters|Sending application|Sending facility|Receiving application|Receiving facility|Creation time|Security|Name|Comment|Control ID|Reference control ID',
  ],
  BHS: [
    'Batch header',
    'Field separator|Encoding characters|Sending application|Sending facility|Receiving application|Receiving facility|Creation time|Security|Name or type|Comment|Control ID|Reference control ID',
  ],
  BTS: ['Batch trailer', 'Message count|Comment|Totals'],
  FTS: ['File trailer', 'Batch count|Comment'],
  MSH: [
    'Message header',
    'Field separator|Encoding characters|Sending application|Sending facility|Receiving application|Receiving facility|Time of message|Security|Message type|Control ID|Processing ID|Version|Sequence number|Continuation pointer|Accept acknowledgment type|Application acknowledgment type|Country|Character set|Language|Character set scheme|Profile ID',
  ],
  MSA: [
    'Acknowledgment',
    'Code|Control ID of the message|Text|Expected sequence number|Delayed acknowledgment type|Error condition',
  ],
  ERR: [
    'Error',
    'Code and location (before 2.5)|Location|HL7 error code|Severity|Application error code|Application error parameter|Diagnostic information|User message|Inform person|Override type|Override reason|Help desk contact',
  ],
  PID: [
    'Patient',
    'Set ID|External patient ID|Patient ID|Alternate patient ID|Name|Mother’s maiden name|Date of birth|Sex|Alias|Race|Address|County|Home telephone|Business telephone|Language|Marital status|Religion|Account number|Social security number|Driver’s license|Mother’s ID|Ethnic group|Birth place|Multiple birth|Birth order|Citizenship|Veterans status|Nationality|Time of death|Death indicator|Identity unknown|Identity reliability|Last update|Last update facility|Species|Breed|Strain|Production class|Tribal citizenship',
  ],
  PD1: [
    'Additional patient data',
    'Living dependency|Living arrangement|Primary facility|Primary care provider|Student|Handicap|Living will|Organ donor|Separate bill|Duplicate patient|Publicity|Protection',
  ],
  NK1: [
    'Next of kin',
    'Set ID|Name|Relationship|Address|Telephone|Business telephone|Contact role',
  ],
  PV1: [
    'Visit',
    'Set ID|Patient class|Location|Admission type|Preadmit number|Prior location|Attending physician|Referring physician|Consulting physician|Hospital service|Temporary location|Preadmit test|Readmission|Admit source|Ambulatory status|VIP|Admitting physician|Patient type|Visit number|Financial class',
  ],
  IN1: [
    'Insurance',
    'Set ID|Plan ID|Company ID|Company name|Company address|Contact person|Telephone|Group number|Group name|Insured’s group employer ID|Insured’s group employer|Plan begins|Plan ends|Authorization|Plan type|Name of insured|Relationship to patient|Date of birth of insured|Address of insured|Assignment of benefits|Coordination of benefits|Priority|Notice of admission|Notice date|Report of eligibility|Report date|Release of information|Pre-admit certificate|Verification time|Verification by|Type of agreement|Billing status|Lifetime reserve days|Delay before reserve day|Company plan code|Policy number|Policy deductible|Policy limit, amount|Policy limit, days|Room rate, semi-private|Room rate, private|Employment of insured|Sex of insured|Employer’s address|Verification status|Prior plan ID|Coverage type|Handicap|ID of insured',
  ],
  IN2: ['Additional insurance', 'Employee ID of insured|Social security number of insured'],
  GT1: [
    'Guarantor',
    'Set ID|Number|Name|Name of spouse|Address|Home telephone|Business telephone|Date of birth|Sex|Type|Relationship|Social security number|Begins|Ends|Priority|Employer name|Employer address|Employer telephone|Employee ID|Employment status|Organization',
  ],
  DG1: [
    'Diagnosis',
    'Set ID|Coding method|Code|Description|Time|Type|Major category|Related group|Approval|Grouper review|Outlier type|Outlier days|Outlier cost|Grouper version|Priority|Clinician',
  ],
  ORC: [
    'Common order',
    'Order control|Placer number|Filler number|Placer group number|Order status|Response flag|Quantity and timing|Parent|Time of transaction|Entered by|Verified by|Ordering provider|Location of entry|Call-back telephone|Effective time|Control reason|Entering organization|Entering device|Action by|Beneficiary notice|Ordering facility|Ordering facility address|Ordering facility telephone|Provider address|Status modifier|Notice override reason|Expected availability|Confidentiality|Order type',
  ],
  OBR: [
    'Order of a test',
    'Set ID|Placer number|Filler number|Test|Priority|Requested time|Collection time|Collection end|Collection volume|Collector|Specimen action|Danger code|Clinical information|Specimen received|Specimen source|Ordering provider|Call-back telephone|Placer field 1|Placer field 2|Filler field 1|Filler field 2|Results reported|Charge|Diagnostic section|Result status|Parent result|Quantity and timing|Copies to|Parent|Transport|Reason|Principal interpreter|Assistant interpreter|Technician|Transcriptionist|Scheduled time|Number of containers|Transport logistics|Collector’s comment|Transport responsibility|Transport arranged|Escort|Patient transport comment|Procedure|Procedure modifier|Placer supplement|Filler supplement|Duplicate procedure reason|Result handling',
  ],
  TQ1: [
    'Timing',
    'Set ID|Quantity|Repeat pattern|Explicit time|Relative time|Service duration|Begins|Ends|Priority|Condition|Instruction',
  ],
  OBX: [
    'Observation',
    'Set ID|Value type|Code|Sub-ID|Value|Unit|Reference range|Flags|Probability|Nature of abnormality|Status|Effective date of range|Access checks|Time of observation|Producer’s ID|Responsible observer|Method|Equipment|Time of analysis|Reserved|Reserved|Reserved|Performing organization|Performing organization address|Medical director',
  ],
  SPM: [
    'Specimen',
    'Set ID|Specimen ID|Parent ID|Type|Type modifier|Additives|Collection method|Source site|Source site modifier|Collection site|Role|Collection amount|Grouped count|Description|Handling|Risk|Collection time|Received time|Expiration|Availability|Reject reason|Quality|Appropriateness|Condition|Current quantity|Number of containers|Container type|Container condition|Child role',
  ],
  NTE: ['Note', 'Set ID|Source|Comment|Type'],
  TXA: [
    'Document',
    'Set ID|Type|Content presentation|Activity time|Primary provider|Origination time|Transcription time|Edit time|Originator|Authenticator|Transcriptionist|Unique number|Parent number|Placer number|Filler number|File name|Completion status|Confidentiality|Availability|Storage status|Change reason|Authentication',
  ],
  ZPS: ['Performing site', 'Set ID|Site code|Site name|Address|Telephone|Director|Certificate'],
  ZEF: ['Embedded document', 'Set ID|Document'],
}
