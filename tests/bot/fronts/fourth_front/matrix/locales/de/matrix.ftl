matrix-joined = Ich bin in { $room }.
