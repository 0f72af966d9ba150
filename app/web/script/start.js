doc.documentElement.classList.add("scripted");
remember();
dress(doc);
paintPush();
