doc.documentElement.classList.add("scripted");
dress(doc);
