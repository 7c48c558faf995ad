import { type LanguageWords, list } from './language-words.ts'

/** The words of reports in German. */
export const GERMAN: LanguageWords = {
  columns: {
    test: list(`
      analyse; analysen; parameter; untersuchung; untersuchungen; test; bezeichnung; messgrosse; analyt;
      laborwert; laborwerte; verfahren; laborparameter; name; untersuchungsparameter; bestimmung`),
    result: list(`
      ergebnis; ergebnisse; wert; messwert; resultat; resultate; befund; werte; aktueller wert; aktuell;
      istwert`),
    unit: list(`einheit; einheiten; masseinheit; dim.; dimension; einh.; einh`),
    reference: list(`
      referenzbereich; referenzbereiche; referenzwert; referenzwerte; referenz; normbereich;
      normalbereich; normwert; normwerte; normalwert; normalwerte; referenzintervall; ref.-bereich; ref.
      bereich; ref.bereich; refbereich; norm; sollwert; zielbereich; referenzber.; ref.-ber.; ref.;
      ref-bereich; grenzwert; bereich; sollbereich`),
    flag: list(`
      bewertung; markierung; kennung; hinweis; auffalligkeit; status; flag; pathologisch; interpretation;
      +/-; kennz.; abw.; abweichung`),
    method: list(`
      methode; verfahren; material; probenmaterial; untersuchungsmaterial; messverfahren; probe; code;
      mat.`),
    previous: list(`
      vorwert; vorwerte; vorbefund; vorherige; verlauf; letzter wert; frueher; vorbefunde; vorherig;
      vorergebnis`),
  },
  header: {
    date: list(`datum`),
    patient: list(`
      patient; patientin; patientenname; patient/in; name, vorname; name des patienten; name;
      name/vorname; vorname name; name vorname; patient(in); patientendaten; name / vorname; herr; frau;
      vor- und nachname`),
    firstName: list(`vorname; vornamen`),
    lastName: list(`nachname; familienname; zuname`),
    dateOfBirth: list(`
      geburtsdatum; geb.-datum; geb. datum; geboren; geb.; geb. am; geboren am; geb.dat.; geb.-dat.;
      geb.datum; geb-datum; geb.am; geb; gebdatum; geb. dat.`),
    age: list(`alter`),
    gender: list(`geschlecht; geschl.; sex; geschl`),
    ageAndGender: list(`
      alter/geschlecht; geschlecht/alter; alter / geschlecht; geschlecht / alter`),
    laboratory: list(`
      labor; laboratorium; durchfuhrendes labor; ausfuhrendes labor; laborgemeinschaft`),
    collected: list(`
      entnahme; entnahmedatum; probenentnahme; abnahme; abnahmedatum; entnahme am; entnommen am;
      entnahmezeit; abnahmezeit; blutentnahme; probenahme; entnahme vom; probendatum; abnahme am;
      entn.datum; entn.-datum; datum der entnahme; entnahmedatum/zeit; probenentnahme am; blutentnahme am;
      entnommen; abgenommen am; probennahme; entnahme datum; datum entnahme; abn.-datum; probe entnommen;
      blutabnahme`),
    received: list(`
      eingang; probeneingang; eingangsdatum; eingang am; auftragsdatum; auftrag vom; druckdatum; gedruckt
      am; gedruckt; anforderung vom; materialeingang; einsendedatum; eingegangen am; eingang labor;
      auftrag am; eingang vom; erfasst am; ausdruck; ausgedruckt am; anforderungsdatum; probeneingang am`),
    reported: list(`
      befunddatum; befund vom; ausgang; ausgangsdatum; befundausgang; berichtsdatum; erstellt am; bericht
      vom; freigabe; freigegeben am; berichtsdatum; validiert am; endbefund; endbefund vom; datum des
      befundes; befund am; befunderstellung; befunddruck; validiert; ausgang am; ausstellungsdatum; befund
      erstellt am; laborbefund vom; freigabedatum; berichtsausgang; befundet am; datum des berichts`),
    specimenNumber: list(`
      probennummer; proben-nr.; proben-nr; probe-nr.; probennr.; auftragsnummer; auftrags-nr.;
      auftragsnr.; auftrag; auftrags-nr; labornummer; labor-nr.; labornr.; tagesnummer; tages-nr.;
      barcode; untersuchungsnummer; befundnummer; befund-nr.; auftragsnr; probe; labor-nr; probennr;
      eingangsnummer; auftrag-nr.; auftrag nr.; probe nr.; probe-nr; laborauftrag; proben nr.; proben-id;
      auftrags-id; probe nr; auftrag nr; befund-nr; order-nr.; labor nr.; journalnummer; journal-nr.`),
    patientNumber: list(`
      patientennummer; pat.-nr.; pat-nr.; versichertennummer; kasse; krankenkasse; adresse; patienten-nr.;
      patienten-id; anschrift; telefon; tel; tel.; fax; station; seite; einsender; pat.nr.; fallnummer;
      fall-nr.; ahv-nr.; ik; kostentrager; versicherung; diagnose; pid; patient-nr.; pat.-id`),
    physician: list(`
      arzt; einsender; einsendender arzt; zuweiser; uberweiser; dr.; hausarzt; auftraggeber; praxis;
      arztin; dr. med.; behandelnder arzt; anforderer; validiert durch; befundet durch; freigegeben durch;
      auftraggebender arzt; uberweisender arzt; zuweisender arzt; laborleitung; laborarzt; kopie an`),
  },
  normal: list(`normal; unauffallig; im normbereich; im referenzbereich`),
  high: list(`hoch; erhoht; zu hoch; uber`),
  low: list(`niedrig; tief; erniedrigt; zu niedrig; vermindert; unter`),
  abnormal: list(`auffallig; pathologisch; abnormal; path; path.`),
  critical: list(`kritisch; alarm; panik; kritisch hoch; kritisch niedrig`),
  positive: list(`positiv; pos; nachweisbar; nachgewiesen; reaktiv; vorhanden`),
  negative: list(`
      negativ; neg; nicht nachweisbar; nicht nachgewiesen; nicht reaktiv; nicht vorhanden; keine`),
  male: list(`mannlich; m; mann; manner; herr; mannl.; maennlich; jungen`),
  female: list(`weiblich; w; frau; frauen; f; weibl.; madchen`),
  sections: list(`
      hamatologie; klinische chemie; blutbild; grosses blutbild; kleines blutbild; differentialblutbild;
      gerinnung; immunologie; serologie; hormone; schilddruse; lipide; fettstoffwechsel; leber; niere;
      elektrolyte; urinstatus; urin; entzundung; enzyme; substrate; eisenstoffwechsel; vitamine;
      tumormarker; infektionsserologie; leberwerte; nierenwerte; stoffwechsel; kohlenhydratstoffwechsel;
      endokrinologie; proteine; diabetes; spurenelemente; mikrobiologie; schilddrusendiagnostik`),
}
