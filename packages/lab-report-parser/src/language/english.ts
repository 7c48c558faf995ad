import { type LanguageWords, list } from './language-words.ts'

/** The words of reports in English. */
export const ENGLISH: LanguageWords = {
  columns: {
    test: list(`
      test; tests; test name; name of test; test description; description; analyte; component; components;
      parameter; parameters; investigation; investigations; examination; assay; procedure; biomarker;
      marker; determination; test performed; test(s); test parameter; observation; lab test; item;
      measurement; profile; name`),
    result: list(`
      result; results; value; values; your value; your result; observed value; observed values; patient
      value; patient result; test result; result value; current; current result; current value; obtained
      value; found; finding; findings; reading; in range; out of range; in-range; out-of-range; within
      range; outside range; current result and flag; measured value; level`),
    unit: list(`
      unit; units; unit of measure; units of measure; uom; measure; u/m; si units; conventional units`),
    reference: list(`
      reference; reference range; reference ranges; reference interval; reference intervals; reference
      value; reference values; ref range; ref. range; ref.range; ref interval; ref. interval; ref; ref.;
      normal; normal range; normal ranges; normal value; normal values; normals; expected; expected range;
      expected values; standard range; biological reference interval; biological ref interval; biological
      ref. interval; biological reference; biological reference range; bio. ref. interval; bio ref
      interval; bio. ref. range; bio. reference interval; range; ranges; target; target range; optimal
      range; desirable range; interval; limits; cutoff; cut-off; ref limits; reference limits`),
    flag: list(`
      flag; flags; abnormal; abn; abnormal flag; status; h/l; hi/lo; indicator; interpretation; alert;
      remark; remarks; flg; note; l/h`),
    method: list(`
      method; methods; methodology; technique; technology; test method; analyzer; instrument; lab; site;
      performing lab; specimen; sample; sample type; specimen type; code; loinc`),
    previous: list(`
      previous; previous result; previous results; previous value; prior; prior result; prior results;
      last result; history; historical; past result; previous result and date; delta; change; trend; prev;
      prev.; prev. result`),
  },
  header: {
    date: list(`date`),
    patient: list(`
      patient; patient name; name; name of patient; pt name; pt. name; pt; client name; full name;
      patient's name; patient details; member name; subject name; customer name; patient information`),
    firstName: list(`
      first name; given name; given names; forename; patient first name; fname`),
    lastName: list(`last name; surname; family name; patient last name; lname`),
    dateOfBirth: list(`
      dob; d.o.b; d.o.b.; date of birth; birth date; birthdate; born; patient dob; birthday`),
    age: list(`age; age (years); patient age`),
    gender: list(`sex; gender; legal sex; patient sex; patient gender; sex at birth`),
    ageAndGender: list(`
      age/sex; age / sex; age/gender; age / gender; sex/age; sex / age; gender/age; gender / age; age &
      sex; age and sex; age & gender; age sex; dob/sex; dob/age/sex; age/sex/dob`),
    laboratory: list(`
      laboratory; lab; lab name; laboratory name; performing laboratory; performing lab; performed at;
      performed by; testing performed by; performing site; testing laboratory; clinical laboratory; tests
      performed at; lab location; facility; reporting laboratory`),
    collected: list(`
      collected; date collected; collection date; collected on; collected date; specimen collected; date
      of collection; collection date/time; collected date/time; date/time collected; collection time;
      sample collected; sample collected on; sample date; specimen date; collection; date drawn; drawn;
      date of sample; sampling date; date of service; collection date & time; date taken; sample
      collection date; sample collection; coll. date; coll date; collected at; drawn on; taken on;
      collected on date; specimen collection date; sample taken; specimen collected on; sample drawn;
      sample drawn on; collected (date/time); collection date time; date and time collected; sample
      collection date & time; test date; date of test; date of draw; draw date`),
    received: list(`
      received; date received; received on; received date; sample received; sample received on; received
      in lab; specimen received; date entered; entered; registered; registered on; registration date; date
      registered; registration on; ordered; date ordered; order date; ordered on; accessioned; printed;
      print date; printed on; date printed; referral date; requested; date requested; accession date`),
    reported: list(`
      reported; date reported; report date; reported on; reported date; date of report; report date/time;
      date/time reported; reporting date; report generated; report generated on; report issued; issued;
      date issued; released; released on; final report date; report printed on; resulted; result date;
      date resulted; report released; report released on; verified; verified on; report date & time;
      completed; date completed; reported at; approved on; authorized on; authorised on; report time; date
      final; resulted on; reported date/time; report status date; issue date; validated on; reporting date
      & time; report on; published; published on; authenticated on; last updated; finalized; finalized on`),
    specimenNumber: list(`
      specimen; specimen id; specimen number; specimen no; specimen no.; specimen #; accession; accession
      number; accession no; accession no.; accession #; accession id; sample id; sample number; sample no;
      sample no.; sample #; lab number; lab no; lab no.; lab ref; lab ref no; lab reference; lab id; lab
      #; barcode; barcode no; barcode no.; bar code; sid; sid no; sid no.; sample barcode; report id;
      report no; report no.; report number; requisition; requisition no; requisition number; requisition
      #; req #; req. no; req no; acc #; acc. no; acc no; acc no.; laboratory number; laboratory no; lab
      accession; lab accession number; lab. no; lab. no.; vial id; control number; case number; case no;
      order number; order no; order id; order #; control id; vid; visit id`),
    patientNumber: list(`
      patient id; patient no; patient number; mrn; medical record number; uhid; pid; account number;
      account; phone; patient phone; health id; nhs number; nhs no; client id; patient #; hospital number;
      hospital no; pid no; pid no.; reg no; reg. no; reg no.; registration no; mr no; mr no.; patient ref;
      ssn; address; email; fasting; room; ward; page; status; report status; sample type; specimen type;
      location; clinic; hospital; insurance; tel; fax; mobile; contact; source; comments; diagnosis;
      height; weight; race; ethnicity; priority`),
    physician: list(`
      physician; doctor; referred by; ref by; ref. by; ref doctor; ref. doctor; ref. dr; ref. dr.; ref dr;
      ordering physician; ordering provider; provider; requesting physician; requested by; ordered by;
      referring doctor; referring physician; dr; clinician; consultant; client; practice; attending; npi;
      reviewed by; verified by; approved by; authorized by; authorised by; medical director; lab director;
      laboratory director; director; collected by; pathologist; referred to; copy to; cc`),
  },
  normal: list(`
      normal; wnl; within normal limits; in range; within range; within normal range; optimal; ok`),
  high: list(`
      high; above; above range; above high; above normal; elevated; hi; above high normal; increased;
      raised`),
  low: list(`
      low; below; below range; below low; below normal; decreased; lo; below low normal; reduced;
      deficient`),
  abnormal: list(`
      abnormal; abn; out of range; outside range; borderline; borderline high; borderline low; flagged`),
  critical: list(`
      critical; panic; critical high; critical low; critically high; critically low; panic high; panic
      low; alert; crit; alert high; alert low; very high; very low`),
  positive: list(`positive; pos; reactive; detected; present; seen`),
  negative: list(`
      negative; neg; non reactive; nonreactive; non-reactive; not detected; absent; none detected; not
      seen; none seen; nil; none; undetected; undetectable; no growth`),
  male: list(`male; m; man; males; men; boys`),
  female: list(`female; f; woman; females; women; girls`),
  sections: list(`
      hematology; haematology; biochemistry; clinical biochemistry; chemistry; clinical chemistry;
      immunology; serology; urinalysis; urine analysis; microbiology; coagulation; endocrinology;
      hormones; complete blood count; cbc; lipid panel; lipid profile; liver function test; liver function
      tests; renal function test; kidney function test; thyroid function test; thyroid profile;
      comprehensive metabolic panel; basic metabolic panel; metabolic panel; electrolytes; differential;
      differential count; differential leucocyte count; vitamins; tumor markers; toxicology; blood gas;
      iron studies; immunoassay; microscopy; physical examination; chemical examination; microscopic
      examination; stool examination; infectious disease; cardiac markers; diabetes`),
}
