"""The words of banners that receiving systems put above a mail, in many languages and in lower case."""

TAGS = frozenset((
    "bulk", "correo externo", "courriel externe", "dış e-posta", "e-mail externe", "e-mail externo",
    "ekstern", "ekstern e-mail", "ekstern e-post", "email esterna", "esterna", "esterno",
    "expéditeur externe", "ext", "extern", "extern avsändare", "extern e-mail", "external",
    "external e-mail", "external email", "external mail", "external message", "external sender",
    "externe", "externe e-mail", "externe email", "externe mail", "externer absender", "externo",
    "externí", "externí e-mail", "harici", "külső", "mensagem externa", "mittente esterno",
    "nadawca zewnętrzny", "remetente externo", "remitente externo", "spam", "suspicious", "ulkoinen",
    "ulkoinen lähettäjä", "unverified sender", "wiadomość zewnętrzna", "zewnętrzny", "внешнее",
    "внешнее письмо", "внешняя почта", "зовнішній", "חיצוני", "ایمیل خارجی", "بريد خارجي", "خارجي",
    "外部", "外部メール", "外部邮件", "外部郵件", "社外", "社外メール", "외부", "외부 메일",
))  # fmt: skip
"""All that stands in the brackets of a tag."""
LABELS = frozenset((
    "achtung", "advarsel", "advertencia", "alert", "alerta", "atención", "atenção", "attention",
    "attenzione", "avertissement", "aviso", "avviso", "be careful", "caution", "cuidado", "dikkat",
    "external", "external email", "external mail", "external sender", "figyelem", "hinweis", "huomio",
    "important", "let op", "notice", "obs", "ostrzeżenie", "pozor", "precaución", "prudence",
    "security notice", "security warning", "sicherheitshinweis", "upozornění", "uwaga", "uyarı",
    "varning", "varoitus", "vorsicht", "waarschuwing", "warning", "warnung", "внимание", "осторожно",
    "увага", "אזהרה", "שים לב", "تحذير", "تنبيه", "توجه", "هشدار", "注意", "警告", "주의",
))  # fmt: skip
"""The words before the colon of a banner."""
KEYS = (
    "outside", "external", "extern", "esterno", "esterna", "zewnętrz", "spoza", "utanför", "udenfor",
    "utenfor", "organisaatio", "ulkopuol", "externí", "külső", "внешн", "извне", "зовніш", "dışından",
    "harici", "外部", "社外", "외부", "خارج", "מחוץ", "außerhalb", "l'extérieur", "fuera de", "fora da",
    "dall'esterno", "buiten", "unknown sender", "links or attachments", "links and attachments",
    "links oder anhänge", "pièces jointes",
)  # fmt: skip
"""Words of which one follows a label."""
SAYS = (
    "aka.ms/learnaboutsenderidentification", "you don't often get email from",
    "some people who received this message", "this email originated from outside",
    "this e-mail originated from outside", "this message originated from outside",
    "this email originated outside", "this message was sent from outside",
    "this email was sent from outside", "this message came from outside", "this email came from outside",
    "this email is from an external", "this is an external email",
    "this message is from an external sender", "this email is from outside",
    "this sender is from outside", "sent by an external sender", "from an external sender",
    "do not click links or open attachments", "do not click on links or open attachments",
    "do not click links", "do not click any links", "don't click links",
    "be careful with links and attachments", "sie erhalten nicht oft", "sie erhalten nicht häufig",
    "diese e-mail stammt von außerhalb", "diese e-mail kommt von außerhalb",
    "diese e-mail stammt von einem externen", "diese nachricht stammt von außerhalb",
    "diese e-mail kommt von extern", "diese e-mail wurde von außerhalb", "klicken sie nicht auf links",
    "klicken sie keine links", "öffnen sie keine anhänge", "vous n'obtenez pas souvent d'e-mail",
    "vous ne recevez pas souvent", "ce message provient de l'extérieur",
    "cet e-mail provient de l'extérieur", "ce courriel provient de l'extérieur",
    "cet email provient d'un expéditeur externe", "ce courriel provient d'un expéditeur externe",
    "ne cliquez pas sur les liens", "ne cliquez sur aucun lien", "no suele recibir correo electrónico de",
    "no suele recibir correos", "este correo electrónico se originó fuera",
    "este correo se originó fuera", "este correo proviene de fuera", "este mensaje proviene de fuera",
    "este correo electrónico proviene de fuera", "no haga clic en", "não costuma receber",
    "você não costuma receber", "este e-mail foi originado fora", "este e-mail veio de fora",
    "este email foi originado fora", "esta mensagem foi enviada de fora", "não clique em",
    "non si ricevono spesso", "non ricevi spesso", "questa email proviene dall'esterno",
    "questa e-mail proviene dall'esterno", "questo messaggio proviene dall'esterno",
    "questa email proviene da un mittente esterno", "non cliccare su", "u ontvangt niet vaak",
    "deze e-mail is afkomstig van buiten", "deze e-mail komt van buiten", "klik niet op",
    "nie często otrzymujesz", "ta wiadomość pochodzi spoza", "nie klikaj", "du får inte ofta",
    "du får ikke ofte", "det här meddelandet kommer från", "klicka inte på", "klik ikke på",
    "klikk ikke på", "et saa usein", "вы нечасто получаете", "это письмо отправлено извне",
    "письмо получено от внешнего", "внешний отправитель", "не переходите по ссылкам",
    "ви нечасто отримуєте", "bu e-posta kuruluş dışından", "sık sık e-posta almıyorsunuz",
    "bu e-posta dışarıdan", "您通常不会收到来自", "此邮件来自外部", "本邮件来自外部",
    "此電子郵件來自外部", "このメールは社外から", "このメールは組織外から",
    "頻繁にメールを受け取っていません", "외부에서 보낸", "هذه الرسالة من خارج", "لا تتلقى عادةً",
    "این ایمیل از خارج", "הודעה זו נשלחה מחוץ",
)  # fmt: skip
"""Parts of sentences that only banners say."""
